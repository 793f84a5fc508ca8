// The board's program: hands bytes, presses and time to the core, and what it answers to the pins.
#include "hardware.h"

#ifdef REMI_PLAIN_LEDS
constexpr bool kHasPixels = false;
#else
constexpr bool kHasPixels = true;
#endif

int main() {
  using namespace remi;
  const Counters kept = hardware::restore();
  hardware::keep(kept);
  static Board board(kCapabilityBuzzer | (kHasPixels ? kCapabilityPixels : 0), kept);
  hardware::begin(kept.held);

  for (;;) {
    hardware::rest();
    const uint32_t now = hardware::now();

    uint8_t byte;
    if (hardware::take_overrun()) board.overrun();
    while (hardware::take_byte(&byte)) board.receive(byte, now);

    uint16_t held;
    const uint16_t pressed = hardware::take_pressed(&held);
    board.buttons(pressed, held, now);
    board.tick(now);
    if (board.take_changed()) hardware::keep(board.counters());

    // Before speaking: what is said brings an answer, and while that may be on its way nothing is painted.
    if (board.may_paint(now)) {
      for (uint8_t seat = 0; seat < kSeats; seat++) {
        uint8_t grb[kGrb];
        if (kHasPixels) {
          if (board.picture(seat, now, grb)) hardware::write_pixels(seat, grb);
        } else {
          board.picture(seat, now, grb);
          hardware::write_plain(seat, board.plain(seat, now));
        }
      }
      board.painted(now);
    }
    hardware::buzz(board.tone(now));

    if (hardware::transmit_free()) {
      const uint8_t size = board.speak(now, hardware::transmit_buffer());
      if (size != 0) hardware::transmit(size);
    }
  }
}
