"""Sizes, rotations and displays."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mobile_gym.devices.parse.screen import (
    ScreenError,
    choose_display,
    parse_display_viewports,
    parse_displays,
    parse_input_viewports,
    parse_physical_displays,
    parse_rotation,
    parse_wm_density,
    parse_wm_size,
)


def test_an_override_is_the_size_in_use() -> None:
    sizes = parse_wm_size("Physical size: 1440x2560\r\nOverride size: 1080x1920\r\n")
    assert sizes.used == (1080, 1920)
    assert sizes.physical == (1440, 2560)
    assert parse_wm_size("Physical size: 1080x2400\n").used == (1080, 2400)
    assert parse_wm_density("Physical density: 560\r\nOverride density: 420\r\n") == 420
    assert parse_wm_density("WARNING: linker\nPhysical density: 560") == 560


@pytest.mark.parametrize("text", ["", "cmd: Can't find service: window", "Physical size: 0x0", "Physical size: axb"])
def test_no_size_is_an_error(text: str) -> None:
    with pytest.raises(ScreenError):
        parse_wm_size(text)
    with pytest.raises(ScreenError):
        parse_wm_density(text.replace("size", "density"))


@pytest.mark.parametrize(
    ("text", "rotation"),
    [
        ("        SurfaceOrientation: 1\n", 1),
        ("      InputDeviceOrientation: Rotation1\r\n", 1),
        ("      InputDeviceOrientation: Rotation90\n", 1),
        ("      InputDeviceOrientation: 3\n", 3),
        (
            "Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation=3, logicalFrame=[0, 0, 2400, 1080], "
            "physicalFrame=[0, 0, 2400, 1080], deviceSize=[2400, 1080], isActive=[1]",
            3,
        ),
        (
            "Viewport INTERNAL: displayId=0, orientation=ROTATION_90, logicalFrame=[0, 0, 2400, 1080], physicalFrame=…",
            1,
        ),
        ("   PhysicalWidth: -1px\n   SurfaceOrientation: 0\n   PhysicalWidth: 1080px\n   SurfaceOrientation: 1\n", 1),
    ],
)
def test_every_form_of_the_rotation(text: str, rotation: int) -> None:
    assert parse_rotation(text) == rotation


def test_a_line_that_is_only_called_orientation_is_no_rotation() -> None:
    with pytest.raises(ScreenError):
        parse_rotation("      OrientationAware: true\n      Orientation: 1\n")


def test_a_device_may_be_wide_at_rotation_zero() -> None:
    line = (
        "Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation=0, logicalFrame=[0, 0, 1920, 1080], "
        "physicalFrame=[0, 0, 1920, 1080], deviceSize=[1920, 1080], isActive=[1]"
    )
    (viewport,) = parse_input_viewports(line)
    assert (viewport.rotation, viewport.size) == (0, (1920, 1080))


def test_of_two_records_of_a_display_the_active_one_counts() -> None:
    text = (
        "mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=false, displayId=0, orientation=0, "
        "logicalFrame=Rect(0, 0 - 2560, 1600), physicalFrame=Rect(0, 0 - 2560, 1600)}, "
        "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, orientation=3, "
        "logicalFrame=Rect(0, 0 - 1600, 2560), physicalFrame=Rect(0, 0 - 1600, 2560)}]"
    )
    (viewport,) = parse_display_viewports(text)
    assert (viewport.rotation, viewport.size) == (3, (1600, 2560))
    assert parse_rotation(text) == 3


INFO = (
    'mBaseDisplayInfo=DisplayInfo{{"x", displayId {0}, real {1}, rotation 0, state {2}, type INTERNAL, '
    'uniqueId "{3}"}}\n'
)


def test_the_display_that_is_on_wins_over_a_closed_larger_one() -> None:
    text = INFO.format(0, "1840 x 2208", "OFF", "local:4630946219955703955") + INFO.format(
        1, "1080 x 2092", "ON", "local:4630946219955703956"
    )
    display = choose_display(parse_displays(text))
    assert (display.number, display.size) == (1, (1080, 2092))
    assert display.physical_id == "4630946219955703956"


def test_the_largest_of_displays_that_are_on_wins() -> None:
    text = INFO.format(1, "976 x 596", "ON", "local:2") + INFO.format(0, "1200 x 2608", "ON", "local:1")
    assert choose_display(parse_displays(text)).number == 0


def test_an_override_turns_the_display_and_does_not_switch_it_off() -> None:
    text = INFO.format(0, "1080 x 2400", "ON", "local:4619827259835644672") + (
        'mOverrideDisplayInfo=DisplayInfo{"x", displayId 0, real 2400 x 1080, rotation 1, state OFF, type INTERNAL}'
    )
    (display,) = parse_displays(text)
    assert (display.size, display.rotation, display.state) == ((2400, 1080), 1, "ON")


def test_small_and_virtual_ids_are_no_physical_ids() -> None:
    (display,) = parse_displays(INFO.format(0, "1080 x 2400", "ON", "local:0"))
    assert display.physical_id is None
    assert parse_physical_displays("nothing here") == []


@given(st.text())
def test_any_text_gives_data_or_a_screen_error(text: str) -> None:
    for parser in (
        parse_wm_size,
        parse_wm_density,
        parse_rotation,
        parse_displays,
        parse_input_viewports,
        parse_display_viewports,
        parse_physical_displays,
    ):
        with contextlib.suppress(ScreenError):
            parser(text)


@given(st.text(alphabet="0123456789-, =[]ax()", max_size=60))
def test_near_viewports_give_data_or_a_screen_error(text: str) -> None:
    forms = (
        f"Viewport INTERNAL: displayId=0, orientation=0, logicalFrame=[{text}], isActive=[1]",
        f"DisplayViewport{{type=INTERNAL, displayId={text}, orientation={text}, logicalFrame=Rect({text})}}",
        f"mBaseDisplayInfo=DisplayInfo{{displayId {text} real {text} x {text} state ON}}",
    )
    for form in forms:
        for parser in (parse_rotation, parse_displays):
            with contextlib.suppress(ScreenError):
                parser(form)
