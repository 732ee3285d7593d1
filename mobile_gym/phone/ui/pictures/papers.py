"""Flat pictures: street maps, documents and two-dimensional codes."""

from __future__ import annotations

from mobile_gym.phone.ui.pictures.scene import Scene, mixed, seeded

_QR_SIDE = 29


def street_map(scene: Scene, what: str) -> None:
    """A city from above: blocks, parks, a river, a grid of streets and two main roads."""
    chance = seeded(f"map {what}")
    aspect = scene.w / scene.h
    scene.vertical([(0, "#F1EEE6"), (1, "#F1EEE6")])
    for _ in range(4):
        x, y = chance.random(), chance.random()
        w, h = 0.12 + 0.2 * chance.random(), (0.1 + 0.16 * chance.random()) * aspect
        scene.rect(x, y, x + w, y + h, "#CFE8C9", radius=0.015)
    bank = chance.random()
    river = [(-0.1 + 0.15 * step, bank + 0.25 * (chance.random() - 0.5)) for step in range(9)]
    scene.line(river, 0.075, "#A9D3EE")
    columns = 7
    xs = [(step + 0.25 + 0.5 * chance.random()) / columns for step in range(columns)]
    rows = max(3, round(columns / aspect))
    ys = [(step + 0.25 + 0.5 * chance.random()) / rows for step in range(rows)]
    lean = 0.12 * (chance.random() - 0.5)
    for x in xs:
        for y in ys:
            if chance.random() < 0.75:
                size = 0.03 + 0.04 * chance.random()
                scene.rect(x + 0.015, y + 0.01, x + 0.015 + size, y + 0.01 + size * aspect, "#E4E0D6", radius=0.004)
    streets = [[(x - lean, -0.02), (x + lean, 1.02)] for x in xs] + [[(-0.02, y + lean), (1.02, y - lean)] for y in ys]
    for street in streets:
        scene.line(street, 0.016, "#DCD8CE")
    for street in streets:
        scene.line(street, 0.012, "#FFFFFF")
    for street in (streets[len(xs) // 2], streets[len(xs) + len(ys) // 2]):
        scene.line(street, 0.030, "#E9C46A")
        scene.line(street, 0.024, "#FBE3A0")


def document(scene: Scene, what: str) -> None:
    """A page of print on a desk: a heading, paragraphs of grey lines, a small table and a red stamp."""
    chance = seeded(f"document {what}")
    desk = chance.choice(("#8A7460", "#6F7780", "#A08C74"))
    scene.diagonal(mixed(desk, "#FFFFFF", 0.12), mixed(desk, "#000000", 0.15))
    scene.polygon([(0.09, 0.07), (0.95, 0.05), (0.96, 0.97), (0.08, 0.98)], "#000000", alpha=0.3, soft=0.012)
    scene.polygon([(0.07, 0.05), (0.93, 0.04), (0.94, 0.95), (0.06, 0.96)], "#FBFAF6", "#EEECE6")
    scene.rect(0.3, 0.105, 0.7, 0.135, "#3A3D43")
    y = 0.18
    for _ in range(chance.randint(3, 4)):
        for _ in range(chance.randint(2, 4)):
            scene.rect(0.14, y, 0.86, y + 0.011, "#8B8F96")
            y += 0.027
        scene.rect(0.14, y, 0.14 + 0.2 + 0.4 * chance.random(), y + 0.011, "#8B8F96")
        y += 0.05
    for row in range(5):
        scene.line([(0.14, y + row * 0.04), (0.86, y + row * 0.04)], 0.003, "#9A9EA5")
    for column in range(4):
        scene.line([(0.14 + 0.24 * column, y), (0.14 + 0.24 * column, y + 0.16)], 0.003, "#9A9EA5")
    scene.ellipse(0.74, 0.87, 0.09, 0.09, "#D9483B", alpha=0.75)
    scene.ellipse(0.74, 0.87, 0.08, 0.08, "#F4E5E0")
    scene.icon("star", 0.74, 0.87, 0.09, "#D9483B", alpha=0.8)


def qr_code(scene: Scene, text: str) -> None:
    """A square of black cells that looks like a QR code of the text; it differs by text and isn't readable."""
    chance = seeded(f"qr {text}")
    scene.vertical([(0, "#FFFFFF"), (1, "#FFFFFF")])
    cell = min(scene.w, scene.h) / (_QR_SIDE + 4)
    left, top = (scene.w - _QR_SIDE * cell) / 2, (scene.h - _QR_SIDE * cell) / 2

    def block(column: int, row: int, size: int, color: str) -> None:
        x, y = round(left + column * cell), round(top + row * cell)
        right, bottom = round(left + (column + size) * cell), round(top + (row + size) * cell)
        scene.flat(x, y, right, bottom, color)

    for row in range(_QR_SIDE):
        for column in range(_QR_SIDE):
            if chance.random() < 0.5 or (row == 6 and column % 2 == 0) or (column == 6 and row % 2 == 0):
                block(column, row, 1, "#101114")
    for column, row in ((0, 0), (_QR_SIDE - 7, 0), (0, _QR_SIDE - 7)):
        block(column - (column > 0), row - (row > 0), 8, "#FFFFFF")
        block(column, row, 7, "#101114")
        block(column + 1, row + 1, 5, "#FFFFFF")
        block(column + 2, row + 2, 3, "#101114")
    block(_QR_SIDE - 9, _QR_SIDE - 9, 5, "#101114")
    block(_QR_SIDE - 8, _QR_SIDE - 8, 3, "#FFFFFF")
    block(_QR_SIDE - 7, _QR_SIDE - 7, 1, "#101114")
