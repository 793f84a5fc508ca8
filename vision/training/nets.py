"""The small nets: corners of a tile in a square, the face on a rectified tile, inks over a whole picture."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

# Of the targets of faces. Little: a net taught to be always a little unsure cannot say when it is.
SMOOTHING = 0.004
CORNER_CELLS = 32  # heatmap side; one cell is two pixels of the square


class Block(nn.Module):
    """Two 3x3 convolutions with a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.short = (
            nn.Conv2d(inputs, outputs, 1, stride, bias=False)
            if stride > 1 or inputs != outputs
            else nn.Identity()
        )

    def forward(self, x: Tensor) -> Tensor:
        """(b, inputs, h, w) to (b, outputs, h / stride, w / stride)."""
        y = functional.relu(self.norm1(self.first(x)))
        return functional.relu(self.norm2(self.second(y)) + self.short(x))


class CornerNet(nn.Module):
    """(b, 3, 64, 64) in 0..1 to logits: heat (b, 4, 32, 32) in upright order, flags (b, 2) centred, down."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU())  # 32
        self.one = Block(24, 32)  # 32
        self.two = Block(32, 64, 2)  # 16
        self.three = Block(64, 96, 2)  # 8
        self.four = Block(96, 112, 2)  # 4
        self.flags = nn.Linear(112, 2)
        self.up3 = nn.Conv2d(112 + 96, 64, 3, 1, 1)
        self.up2 = nn.Conv2d(64 + 64, 48, 3, 1, 1)
        self.up1 = nn.Conv2d(48 + 32, 32, 3, 1, 1)
        self.heat = nn.Conv2d(32, 4, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Heat and flags of a batch of squares."""
        x = (x - 0.5) * 4
        one = self.one(self.stem(x))
        two = self.two(one)
        three = self.three(two)
        four = self.four(three)
        flags = self.flags(four.mean(dim=(2, 3)))
        y = functional.relu(self.up3(torch.cat([_twice(four), three], 1)))
        y = functional.relu(self.up2(torch.cat([_twice(y), two], 1)))
        y = functional.relu(self.up1(torch.cat([_twice(y), one], 1)))
        return self.heat(y), flags


class FaceNet(nn.Module):
    """(b, 3, 64, 48) in 0..1 to logits number (b, 16), colour (b, 4), turned (b, 1), and hue code (b, 8)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU()
        )  # 32x24
        self.body = nn.Sequential(Block(24, 32), Block(32, 56, 2), Block(56, 88, 2), Block(88, 104, 2))  # 4x3
        self.hidden = nn.Linear(104 * 12, 96)
        self.number = nn.Linear(96, 16)
        self.turned = nn.Linear(96, 1)
        # Colour needs little place and much hue: its own shallow way from the full picture.
        self.hue = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(16, 24, 3, 2, 1),
            nn.ReLU(),
            nn.Conv2d(24, 32, 3, 2, 1),
            nn.ReLU(),
        )  # 8x6
        self.code = nn.Linear(32 * 2 + 96, 8)
        self.colour = nn.Sequential(nn.ReLU(), nn.Linear(8, 4))
        self.drop = nn.Dropout(0.15)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Number, colour, turned and code of a batch of faces."""
        x = (x - 0.5) * 4
        y = self.body(self.stem(x))
        y = self.drop(functional.relu(self.hidden(y.flatten(1))))
        hue = self.hue(x)
        code = self.code(torch.cat([hue.mean(dim=(2, 3)), hue.amax(dim=(2, 3)), y], 1))
        return self.number(y), self.colour(code), self.turned(y), code


class InkEyes(nn.Module):
    """(b, 3, 64, 48) in 0..1 to an ink code (b, 24): where on the face the ink is, and its colour there.

    Colours are taken against the tile's own body, as a ratio and as a difference: a veil of glare changes the
    one, a blurred stroke the other, and neither both.
    """

    CODE = 24
    SPOTS = 2  # places, each a map over the face, at which colours are taken

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Conv2d(9, 20, 5, 2, 2)  # 32x24
        self.two = nn.Conv2d(20, 28, 3, 2, 1)  # 16x12
        self.three = nn.Conv2d(28, 28, 3, 1, 1)
        self.where = nn.Conv2d(28, self.SPOTS, 1)
        self.mixed = nn.Linear(28 * self.SPOTS, self.CODE - 6 * self.SPOTS - 3)

    def forward(self, x: Tensor) -> Tensor:
        """The code of each face: relative colours at the spots, the body's colour, and what else tells."""
        grey = x.mean(dim=1, keepdim=True).flatten(2)
        bright = functional.softmax(grey * 24, dim=2)  # the body is what is bright
        body = (x.flatten(2) * bright).sum(dim=2)[..., None, None]
        ratio = torch.log((x + 0.03) / (body + 0.03))
        short = (body - x) / (body + 0.03)
        y = torch.cat([ratio, short, (x - 0.5) * 4], 1)
        z = functional.relu(self.two(functional.relu(self.one(y))))
        z = functional.relu(z + self.three(z))
        share = functional.softmax(self.where(z).flatten(2), dim=2)  # (b, spots, 192)
        colours = functional.avg_pool2d(y[:, :6], 4).flatten(2)  # (b, 6, 192)
        taken = torch.einsum("bsp,bcp->bsc", share, colours).flatten(1)
        mixed = self.mixed(torch.einsum("bsp,bcp->bsc", share, z.flatten(2)).flatten(1))
        return torch.cat([taken, torch.log(body[..., 0, 0] + 0.03), mixed], 1)


class InkNet(nn.Module):
    """Ink evidence of a picture's tiles (1, n, 30) to colour logits (1, n, 4), judged against each other."""

    FEATURES = InkEyes.CODE + 6

    def __init__(self, width: int = 64, layers: int = 3) -> None:
        super().__init__()
        self.enter = nn.Linear(self.FEATURES, width)
        self.layers = nn.ModuleList(nn.MultiheadAttention(width, 4, batch_first=True) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2 * layers + 1))
        self.wide = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
            for _ in range(layers)
        )
        self.leave = nn.Linear(width, 4)

    def forward(self, x: Tensor, absent: Tensor | None = None) -> Tensor:
        """Colours of (b, n, 30); `absent` (b, n) marks rows that only fill up a batch."""
        y = self.enter(x)
        for index, (attend, wide) in enumerate(zip(self.layers, self.wide, strict=True)):
            z = self.norms[2 * index](y)
            y = y + attend(z, z, z, key_padding_mask=absent, need_weights=False)[0]
            y = y + wide(self.norms[2 * index + 1](y))
        return self.leave(self.norms[-1](y))


class Inks(nn.Module):
    """Both parts that judge inks, trained as one: pictures' faces (b, n, 3, 64, 48) to colours (b, n, 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = InkEyes()
        self.net = InkNet()
        self.alone = nn.Linear(InkNet.FEATURES, 4)  # keeps the codes telling: an answer without the others

    def forward(self, faces: Tensor, measured: Tensor, absent: Tensor) -> tuple[Tensor, Tensor]:
        """Colours together and alone, given what was measured (b, n, 6) and which places are empty (b, n)."""
        batch, count = absent.shape
        code = self.eyes(faces.flatten(0, 1)).reshape(batch, count, -1)
        rows = torch.cat([code, measured], 2)
        return self.net(rows, absent), self.alone(rows)


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


def spatial_target(corners: Tensor, sigma: float = 0.9) -> tuple[Tensor, Tensor]:
    """Soft heat targets (b, 4, 1024) about corners (b, 4, 2) in pixels, and which lie inside (b, 4)."""
    cells = corners / (64 / CORNER_CELLS) - 0.5
    grid = torch.arange(CORNER_CELLS, dtype=corners.dtype)
    dx = (grid[None, None] - cells[..., 0:1]) ** 2
    dy = (grid[None, None] - cells[..., 1:2]) ** 2
    heat = torch.exp(-(dy[..., :, None] + dx[..., None, :]) / (2 * sigma**2)).flatten(2)
    inside = ((corners >= 0) & (corners <= 64)).all(dim=2)
    return heat / heat.sum(dim=2, keepdim=True).clamp(min=1e-6), inside


def corner_loss(heat: Tensor, flags: Tensor, corners: Tensor, centred: Tensor, down: Tensor) -> Tensor:
    """Cross-entropy of heatmaps on real tiles (a back may be read either way round), and of the two flags."""
    log = functional.log_softmax(heat.flatten(2), dim=2)
    target, inside = spatial_target(corners)
    weight = inside.to(log.dtype)
    straight = (-(target * log).sum(dim=2) * weight).sum(dim=1)
    turned = (-(target.roll(2, dims=1) * log).sum(dim=2) * weight.roll(2, dims=1)).sum(dim=1)
    place = torch.where(down > 0.5, torch.minimum(straight, turned), straight)
    loss = (place * centred).sum() / (4 * centred.sum().clamp(min=1))
    loss = loss + functional.binary_cross_entropy_with_logits(flags[:, 0], centred)
    known = (down >= 0).to(log.dtype)
    back = functional.binary_cross_entropy_with_logits(flags[:, 1], down.clamp(min=0), reduction="none")
    return loss + 0.3 * (back * known).mean()


def face_loss(
    number: Tensor, colour: Tensor, turned: Tensor, numbers: Tensor, colours: Tensor, turns: Tensor
) -> Tensor:
    """Cross-entropies of the three answers, each only where it has a meaning."""
    loss = functional.cross_entropy(number, numbers, label_smoothing=SMOOTHING)
    inked = colours >= 0
    if bool(inked.any()):
        loss = loss + functional.cross_entropy(colour[inked], colours[inked], label_smoothing=SMOOTHING)
    known = turns >= 0
    if bool(known.any()):
        loss = loss + functional.binary_cross_entropy_with_logits(
            turned[known, 0], turns[known].to(turned.dtype)
        )
    return loss


def parameters(net: nn.Module) -> int:
    """The number of trained values of a net."""
    return sum(value.numel() for value in net.parameters())
