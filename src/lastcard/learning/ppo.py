"""One update of proximal policy optimization: collect decisions, estimate advantages, follow the gradient."""

from __future__ import annotations

import copy
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor

from lastcard.learning.config import TrainConfig
from lastcard.learning.environments import Rows
from lastcard.learning.model import Critic, PolicyValueNet, mask_scores
from lastcard.learning.opponents import Opposition


@dataclass(frozen=True, slots=True)
class Losses:
    """Statistics of the last minibatches of an update."""

    policy: float
    value: float
    entropy: float


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions since the last update; first index time, second environment."""

    rows: list[Rows]
    """One more than there were decisions."""
    actions: Tensor
    log_probabilities: Tensor
    values: Tensor
    """One more than there were decisions."""
    is_own: Tensor
    """True if the learner made the decision, False for a frozen network."""


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """Half the bits on a GPU, where that is twice as fast; everything on a CPU, where runs have to repeat."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


class Learner:
    """A network that plays against itself and others, and what it takes to improve it."""

    def __init__(
        self, config: TrainConfig, model: PolicyValueNet, opposition: Opposition, device: torch.device
    ) -> None:
        self.config = config
        self.model = model
        self.device = device
        self.critic: Critic | None = None
        if config.critic == "all_hands":
            self.critic = Critic(config.most_players, config.hidden, config.blocks).to(device)
        trained = [*model.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimizer = torch.optim.Adam(trained, lr=config.learning_rate, eps=1e-5)
        self.mean = copy.deepcopy(model).requires_grad_(False) if config.averaging else None
        self.reference = copy.deepcopy(model).requires_grad_(False) if config.reference else None
        self._env = opposition.env
        self._rivals = opposition.rivals
        num_envs, count = self._env.num_envs, config.decisions + 1
        # Another seat in each environment, so that the learner meets rivals from every seat.
        self._seats = (torch.arange(num_envs, device=device) % config.players).to(torch.uint8)
        self._rng = torch.Generator(device=device)
        self._rng.manual_seed(config.seed)
        self._whole = Rows.make_whole(count, num_envs, config.most_players, device, has_hidden=self.critic is not None)
        self._rows = [self._whole.cut(t) for t in range(count)]
        self._is_warming_up = False
        self._env.reset(self._rows[0])

    def update(self, fraction: float, number: int = 0) -> Losses:
        """Plays on and improves; `fraction` of the training is over, and `number` updates of it."""
        self._is_warming_up = number < self.config.warmup
        if self.reference and self.config.reference_updates and number and number % self.config.reference_updates == 0:
            self.reference.load_state_dict(self.model.state_dict())
        for group in self.optimizer.param_groups:
            group["lr"] = _between(self.config.learning_rate, self.config.last_learning_rate, fraction)
        decisions = self._collect()
        advantages, is_known = estimate_advantages(decisions, self.config)
        losses = self._improve(decisions, advantages, is_known & decisions.is_own, fraction)
        self._average()
        self._carry_over()
        return losses

    def reopen(self, opposition: Opposition) -> None:
        """Plays on in other environments; rounds that are not over are left there."""
        self._env, self._rivals = opposition.env, opposition.rivals
        for tensor in self._whole.items().values():
            tensor.zero_()  # seats that a smaller table does not have must not keep hands of a larger one
        self._env.reset(self._rows[0])

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
        is_own = torch.ones(shape, dtype=torch.bool, device=self.device)
        with autocast(self.device):
            for t in range(self.config.decisions):
                row = self._rows[t]
                scores, value = self.model(row.observations)
                logs = torch.log_softmax(mask_scores(scores, row.masks), dim=-1)
                actions[t] = torch.multinomial(logs.exp(), 1, generator=self._rng).squeeze(1)
                self._let_rivals_decide(row, actions[t], is_own[t])
                log_probabilities[t] = logs.gather(1, actions[t][:, None]).squeeze(1)
                values[t] = self._judge(row, value)
                self._env.step(actions[t], self._rows[t + 1])
            last = self._rows[-1]
            values[-1] = self._judge(last, self.model(last.observations)[1])
        return Decisions(self._rows, actions, log_probabilities, values, is_own)

    def _judge(self, row: Rows, own: Tensor) -> Tensor:
        """Values of positions, by the critic if there is one."""
        if self.critic is None or row.hidden is None:
            return own.float()
        judged: Tensor = self.critic(row.observations, row.hidden)
        return judged.float()

    def _let_rivals_decide(self, row: Rows, actions: Tensor, is_own: Tensor) -> None:
        """Frozen networks take their most probable action wherever the seat to act is not the learner's."""
        for rival in self._rivals:
            where = rival.where
            mine = row.seats[where] == self._seats[where]
            scores, _ = rival.network(row.observations[where])
            best = mask_scores(scores, row.masks[where]).argmax(dim=-1)
            actions[where] = torch.where(mine, actions[where], best)
            is_own[where] = mine

    def _carry_over(self) -> None:
        """The last decisions, not yet made, are the first of the next update."""
        last, first = self._rows[-1].items(), self._rows[0].items()
        for name in ("observations", "masks", "seats", "hidden"):
            if name in first:
                first[name].copy_(last[name])

    def _improve(self, decisions: Decisions, advantages: Tensor, is_known: Tensor, fraction: float) -> Losses:
        config = self.config
        taken = self._whole.cut(slice(0, config.decisions)).items()
        rows: dict[str, Tensor] = {name: part.flatten(0, 1) for name, part in taken.items()}
        known = is_known.flatten().nonzero().squeeze(1)
        batch = _Batch(
            rows,
            decisions.actions.flatten(),
            decisions.log_probabilities.flatten(),
            _normalize(advantages.flatten(), known),
            (advantages + decisions.values[: config.decisions]).flatten(),
        )
        bonus = _between(config.entropy, config.last_entropy, fraction)
        losses = Losses(0.0, 0.0, 0.0)
        for _ in range(config.epochs):
            order = known[torch.randperm(len(known), generator=self._rng, device=self.device)]
            for picked in order.chunk(config.minibatches):
                policy, value, entropy = self._losses(batch, picked)
                self.optimizer.zero_grad(set_to_none=True)
                loss = policy + config.value_weight * value - bonus * entropy
                loss.backward()  # type: ignore[no-untyped-call]
                self._step()
        if len(known):
            losses = Losses(policy.item(), value.item(), entropy.item())
        return losses

    def _step(self) -> None:
        """Follows the gradient; while warming up, that of the values' heads and of the critic alone."""
        for name, parameter in self.model.named_parameters():
            if self._is_warming_up and not name.startswith("value."):
                parameter.grad = None
        for trained in (self.model, self.critic):
            if trained is not None:
                torch.nn.utils.clip_grad_norm_(trained.parameters(), self.config.most_gradient)
        self.optimizer.step()

    def _losses(self, batch: _Batch, picked: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Losses of the policy, with its distance from the reference, and of the values, and the entropy."""
        clip, observations = self.config.clip, batch.rows["observations"][picked]
        with autocast(self.device):
            scores, values = self.model(observations)
            judged = self.critic(observations, batch.rows["hidden"][picked]) if self.critic else None
        logs = torch.log_softmax(mask_scores(scores, batch.rows["masks"][picked]), dim=-1)
        new = logs.gather(1, batch.actions[picked, None]).squeeze(1)
        ratio = (new - batch.log_probabilities[picked]).exp()
        gain = batch.advantages[picked]
        policy = -torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
        if self.reference is not None:
            policy = policy + self.config.reference * self._distance(logs, observations, batch.rows["masks"][picked])
        wanted = batch.returns[picked]
        value = (values.float() - wanted).square().mean()
        if judged is not None:
            value = value + (judged.float() - wanted).square().mean()
        entropy = -(logs.exp() * logs.clamp(min=-50)).sum(dim=-1).mean()
        return policy, value, entropy

    def _distance(self, logs: Tensor, observations: Tensor, masks: Tensor) -> Tensor:
        """Mean divergence of the policy from that of the reference."""
        assert self.reference is not None
        with torch.no_grad(), autocast(self.device):
            scores, _ = self.reference(observations)
        wanted = torch.log_softmax(mask_scores(scores, masks), dim=-1).clamp(min=-50)
        return (logs.exp() * (logs.clamp(min=-50) - wanted)).sum(dim=-1).mean()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Decisions of all environments, one after another."""

    rows: dict[str, Tensor]
    actions: Tensor
    log_probabilities: Tensor
    advantages: Tensor
    returns: Tensor


def _normalize(advantages: Tensor, known: Tensor) -> Tensor:
    return (advantages - advantages[known].mean()) / (advantages[known].std() + 1e-6)


def estimate_advantages(decisions: Decisions, config: TrainConfig) -> tuple[Tensor, Tensor]:
    """Advantage of each decision, and whether it is known yet.

    With two players the next decision is worth as much to one as it costs the other, so its value counts at once, with
    the sign turned when the seat to act changes. With more players, against frozen networks or with a price on
    decisions that does not hold, and every seat looks ahead to its own next decision.
    """
    if config.most_players == 2 and not config.rivals and not config.price:
        return _two_players(decisions, config.trace)
    return _several_players(decisions, config.trace, config.price)


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


def _several_players(decisions: Decisions, trace: float, price: float) -> tuple[Tensor, Tensor]:
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
        gained = (ahead.gather(1, seat) + trace * later.gather(1, seat)).squeeze(1) - price - values[t]
        advantages[t] = torch.where(known, gained, 0.0)
        is_known[t] = known
        ahead = ahead.scatter(1, seat, values[t][:, None])
        later = later.scatter(1, seat, advantages[t][:, None])
        is_ahead = is_ahead.scatter(1, seat, torch.ones_like(seat, dtype=torch.bool))
    return advantages, is_known


def _between(first: float, last: float, fraction: float) -> float:
    return first + (last - first) * min(max(fraction, 0.0), 1.0)
