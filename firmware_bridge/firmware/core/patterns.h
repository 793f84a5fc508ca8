// What a seat's lamp looks like at a moment.
#ifndef REMI_PATTERNS_H
#define REMI_PATTERNS_H

#include "protocol.h"

namespace remi {

// A time since the lamp was set, divided once for all pixels: division is slow on the board.
struct Moment {
  explicit Moment(uint32_t milliseconds) : ms(uint16_t(milliseconds)), second(uint16_t(milliseconds % 1000)) {}
  uint16_t ms;      // modulo 65536
  uint16_t second;  // modulo 1000
};

// How bright a pixel is, 0 to 255.
uint8_t intensity(const Lamp& lamp, const Moment& moment, uint8_t pixel);

// Whether a plain LED is on: the same patterns told apart by their rhythm alone.
bool plain_on(const Lamp& lamp, uint32_t ms);

// The pixels as they go over the wire to WS2812: green, red, blue of each.
void render(const Lamp& lamp, uint32_t ms, uint8_t brightness, uint8_t* grb);

}  // namespace remi

#endif
