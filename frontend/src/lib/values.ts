/** What actions are worth. */

import type { Catalog } from "./contract";
import type { ActionValue } from "./found";
import { preferences, type Budget } from "./preferences.svelte";

/**
 * The actions whose value is not below that of the recommended one. A search may recommend one of several that its error
 * does not tell apart; then the page says that they are level.
 */
export function levelWith(actions: readonly ActionValue[], best: string): ActionValue[] {
  const value = actions.find((action) => action.action === best)?.value;
  if (value === undefined) return [];
  return actions.filter((action) => action.action !== best && action.value >= value);
}

const SIMULATIONS = [1_000, 5_000, 20_000, 100_000, 500_000, 2_000_000];
const SECONDS = [0.5, 1, 2, 5, 10, 30];

export type Analyst = Catalog["analysts"][number];

/** The analyst that the person prefers, if there is one. */
export function chooseAnalyst(catalog: Catalog): Analyst | undefined {
  return catalog.analysts.find((entry) => entry.name === preferences.analyst) ?? catalog.analysts[0];
}

export function listBudgets(analyst: Analyst | undefined): Budget[] {
  return [...SIMULATIONS.map((simulations) => ({ simulations })), ...SECONDS.map((seconds) => ({ seconds }))].filter(
    (budget) => analyst?.budgets.some((kind) => kind in budget),
  );
}

export function budgetKey(budget: Budget): string {
  return JSON.stringify(budget);
}

/** The budget that the person prefers, if the analyst can have it. */
export function chooseBudget(budgets: readonly Budget[]): Budget | undefined {
  const wanted = budgetKey(preferences.budget);
  return budgets.find((offered) => budgetKey(offered) === wanted) ?? budgets[Math.min(2, budgets.length - 1)];
}
