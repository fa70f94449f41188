"""One update of proximal policy optimization: collect decisions, estimate advantages, follow the gradient."""

from __future__ import annotations

import copy
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor

from lastcard.learning.config import TrainConfig
from lastcard.learning.environments import Environment, Rows
from lastcard.learning.model import PolicyValueNet, mask_scores


@dataclass(frozen=True, slots=True)
class Losses:
    """How the last minibatches of an update went."""

    policy: float
    value: float
    entropy: float


@dataclass(frozen=True, slots=True)
class Decisions:
    """What was decided since the last update; first index time, second environment."""

    rows: list[Rows]
    """One more than there were decisions."""
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    """One more than there were decisions."""


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """Half the bits on a GPU, where that is twice as fast; everything on a CPU, where runs have to repeat."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


class Learner:
    """A network that plays against itself, and what it takes to improve it."""

    def __init__(self, config: TrainConfig, model: PolicyValueNet, env: Environment, device: torch.device) -> None:
        self.config = config
        self.model = model
        self.device = device
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate, eps=1e-5)
        self.mean = copy.deepcopy(model).requires_grad_(False) if config.averaging else None
        self._env = env
        self._rng = torch.Generator(device=device)
        self._rng.manual_seed(config.seed)
        self._rows = Rows.make(config.decisions + 1, env.num_envs, config.players, device)
        env.reset(self._rows[0])

    def update(self, fraction: float) -> Losses:
        """Plays on and improves; `fraction` of the training is over."""
        for group in self.optimizer.param_groups:
            group["lr"] = _between(self.config.learning_rate, self.config.last_learning_rate, fraction)
        decisions = self._collect()
        advantages, is_known = estimate_advantages(decisions, self.config)
        losses = self._improve(decisions, advantages, is_known, fraction)
        self._average()
        self._carry_over()
        return losses

    @property
    def player(self) -> PolicyValueNet:
        """The network to play with: the mean of the weights if there is one."""
        return self.model if self.mean is None else self.mean

    @torch.no_grad()
    def _average(self) -> None:
        if self.mean is not None:
            for kept, value in zip(self.mean.parameters(), self.model.parameters(), strict=True):
                kept.lerp_(value, 1 - self.config.averaging)

    @torch.no_grad()
    def _collect(self) -> Decisions:
        shape = (self.config.decisions, self._env.num_envs)
        actions = torch.empty(shape, dtype=torch.int64, device=self.device)
        log_probabilities = torch.empty(shape, device=self.device)
        values = torch.empty(shape[0] + 1, shape[1], device=self.device)
        with autocast(self.device):
            for t in range(self.config.decisions):
                scores, value = self.model(self._rows[t].observations)
                logs = torch.log_softmax(mask_scores(scores, self._rows[t].masks), dim=-1)
                chosen = torch.multinomial(logs.exp(), 1, generator=self._rng)
                actions[t] = chosen.squeeze(1)
                log_probabilities[t] = logs.gather(1, chosen).squeeze(1)
                values[t] = value.float()
                self._env.step(actions[t], self._rows[t + 1])
            values[-1] = self.model(self._rows[-1].observations)[1].float()
        return Decisions(self._rows, actions, log_probabilities, values)

    def _carry_over(self) -> None:
        """The last decisions, not yet made, are the first of the next update."""
        last, first = self._rows[-1], self._rows[0]
        for name in ("observations", "masks", "seats"):
            getattr(first, name).copy_(getattr(last, name))

    def _improve(self, decisions: Decisions, advantages: Tensor, is_known: Tensor, fraction: float) -> Losses:
        config = self.config
        count = config.decisions
        observations = torch.stack([row.observations for row in decisions.rows[:count]]).flatten(0, 1)
        masks = torch.stack([row.masks for row in decisions.rows[:count]]).flatten(0, 1)
        actions, old = decisions.actions.flatten(), decisions.log_probabilities.flatten()
        returns = (advantages + decisions.values[:count]).flatten()
        known = is_known.flatten().nonzero().squeeze(1)
        advantages = advantages.flatten()
        spread = advantages[known].std() + 1e-6
        advantages = (advantages - advantages[known].mean()) / spread
        bonus = _between(config.entropy, config.last_entropy, fraction)
        for _ in range(config.epochs):
            order = known[torch.randperm(len(known), generator=self._rng, device=self.device)]
            for picked in order.chunk(config.minibatches):
                with autocast(self.device):
                    scores, values = self.model(observations[picked])
                logs = torch.log_softmax(mask_scores(scores, masks[picked]), dim=-1)
                new = logs.gather(1, actions[picked, None]).squeeze(1)
                ratio = (new - old[picked]).exp()
                gain = advantages[picked]
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
                value_loss = (values.float() - returns[picked]).square().mean()
                entropy = -(logs.exp() * logs.clamp(min=-50)).sum(dim=-1).mean()
                loss = policy_loss + config.value_weight * value_loss - bonus * entropy
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.most_gradient)
                self.optimizer.step()
        return Losses(policy_loss.item(), value_loss.item(), entropy.item())


def estimate_advantages(decisions: Decisions, config: TrainConfig) -> tuple[Tensor, Tensor]:
    """How much better than expected each decision turned out, and whether that can be known yet.

    With two players the next decision is worth as much to one as it costs the other, so its value counts at once, with
    the sign turned when the seat to act changes. With more, every seat looks ahead to its own next decision.
    """
    estimate = _two_players if config.players == 2 else _several_players
    return estimate(decisions, config.trace)


def _two_players(decisions: Decisions, trace: float) -> tuple[Tensor, Tensor]:
    rows, values = decisions.rows, decisions.values
    advantages = torch.zeros_like(decisions.log_probabilities)
    later = torch.zeros_like(values[0])
    for t in reversed(range(len(advantages))):
        is_done = rows[t + 1].dones > 0
        sign = torch.where(rows[t + 1].seats == rows[t].seats, 1.0, -1.0)
        reward = rows[t + 1].rewards.gather(1, rows[t].seats.long()[:, None]).squeeze(1)
        ahead = torch.where(is_done, reward, sign * values[t + 1])
        later = ahead - values[t] + trace * torch.where(is_done, 0.0, sign * later)
        advantages[t] = later
    return advantages, torch.ones_like(advantages, dtype=torch.bool)


def _several_players(decisions: Decisions, trace: float) -> tuple[Tensor, Tensor]:
    rows, values = decisions.rows, decisions.values
    advantages = torch.zeros_like(decisions.log_probabilities)
    is_known = torch.zeros_like(advantages, dtype=torch.bool)
    ahead = torch.zeros_like(rows[0].rewards)  # by seat: the value of its next decision, or what the round gave it
    later = torch.zeros_like(ahead)  # by seat: the advantage of its next decision
    is_ahead = torch.zeros_like(ahead, dtype=torch.bool)  # by seat: whether it has one that is known
    for t in reversed(range(len(advantages))):
        is_done = (rows[t + 1].dones > 0)[:, None]
        ahead = torch.where(is_done, rows[t + 1].rewards, ahead)
        later = torch.where(is_done, 0.0, later)
        is_ahead = is_ahead | is_done
        seat = rows[t].seats.long()[:, None]
        known = is_ahead.gather(1, seat).squeeze(1)
        gained = (ahead.gather(1, seat) + trace * later.gather(1, seat)).squeeze(1) - values[t]
        advantages[t] = torch.where(known, gained, 0.0)
        is_known[t] = known
        ahead = ahead.scatter(1, seat, values[t][:, None])
        later = later.scatter(1, seat, advantages[t][:, None])
        is_ahead = is_ahead.scatter(1, seat, torch.ones_like(seat, dtype=torch.bool))
    return advantages, is_known


def _between(first: float, last: float, fraction: float) -> float:
    return first + (last - first) * min(max(fraction, 0.0), 1.0)
