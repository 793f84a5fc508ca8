// The ATmega328P at 16 MHz (Uno, Nano): pins, timers, serial line, pixels. The pin map is in docs/hardware.md.
#ifndef REMI_HARDWARE_H
#define REMI_HARDWARE_H

#include "../core/board.h"
#include "../core/debounce.h"

namespace remi {
namespace hardware {

void begin(uint16_t held);

// Milliseconds since the start.
uint32_t now();
// The buttons that have gone down since this was asked last, and those that are down.
uint16_t take_pressed(uint16_t* held);

// The next byte from the line; false without one.
bool take_byte(uint8_t* byte);
// Whether bytes were lost since this was asked last.
bool take_overrun();
// Sends what stands in the buffer that transmit_buffer() gives; only while it is free.
bool transmit_free();
uint8_t* transmit_buffer();
void transmit(uint8_t size);

// Writes a seat's pixels, with interrupts off for 0.25 ms.
void write_pixels(uint8_t seat, const uint8_t* grb);
void write_plain(uint8_t seat, bool on);
void buzz(uint16_t hertz);

// Sleeps until the next interrupt, unless there is something to do.
void rest();

// The counters that were kept through a reset; false after a power-up, when they begin anew.
Counters restore();
void keep(const Counters& counters);

}  // namespace hardware
}  // namespace remi

#endif
