// The board's core built for this machine, as a library that the tests call.
#include "board.h"
#include "debounce.h"

using namespace remi;

extern "C" {

uint8_t core_encode(const uint8_t* message, uint8_t size, uint8_t* wire) { return encode(message, size, wire); }

Decoder* core_decoder() { return new Decoder; }
void core_free_decoder(Decoder* decoder) { delete decoder; }
uint8_t core_bad(const Decoder* decoder) { return decoder->bad(); }

// Writes each message with its size before it; returns the bytes written.
uint32_t core_decode(Decoder* decoder, const uint8_t* bytes, uint32_t size, uint8_t* out) {
  uint32_t written = 0;
  for (uint32_t i = 0; i < size; i++) {
    if (!decoder->take(bytes[i])) continue;
    out[written++] = decoder->size();
    for (uint8_t k = 0; k < decoder->size(); k++) out[written++] = decoder->message()[k];
  }
  return written;
}

// How many of the single flipped bits of a message's frame are not noticed.
uint32_t core_flips(const uint8_t* message, uint8_t size) {
  uint8_t wire[kMaxWire];
  const uint8_t length = encode(message, size, wire);
  uint32_t unnoticed = 0;
  for (uint32_t bit = 0; bit < 8u * length; bit++) {
    Decoder decoder;
    for (uint8_t i = 0; i < length; i++) {
      unnoticed += decoder.take(i == bit / 8 ? uint8_t(wire[i] ^ (1 << bit % 8)) : wire[i]);
    }
    unnoticed += decoder.take(0);
  }
  return unnoticed;
}

void core_render(const uint8_t* lamp, uint32_t ms, uint8_t brightness, uint8_t* grb) {
  render(Lamp{lamp[0], lamp[1], lamp[2]}, ms, brightness, grb);
}
bool core_plain_on(const uint8_t* lamp, uint32_t ms) { return plain_on(Lamp{lamp[0], lamp[1], lamp[2]}, ms); }

Debounce* core_debounce(uint16_t held) { return new Debounce(held); }
void core_free_debounce(Debounce* debounce) { delete debounce; }
uint16_t core_sample(Debounce* debounce, uint16_t down) { return debounce->sample(down); }

Board* core_board(uint32_t epoch) {
  Counters counters = {};
  counters.epoch = epoch;
  return new Board(kCapabilityBuzzer | kCapabilityPixels, counters);
}
void core_free_board(Board* board) { delete board; }
void core_tick(Board* board, uint32_t now) { board->tick(now); }
void core_receive(Board* board, const uint8_t* bytes, uint32_t size, uint32_t now) {
  for (uint32_t i = 0; i < size; i++) board->receive(bytes[i], now);
}
void core_press(Board* board, uint16_t pressed, uint32_t now) { board->buttons(pressed, 0, now); }
uint8_t core_speak(Board* board, uint32_t now, uint8_t* wire) { return board->speak(now, wire); }
void core_picture(Board* board, uint8_t seat, uint32_t now, uint8_t* grb) { board->picture(seat, now, grb); }
bool core_plain(Board* board, uint8_t seat, uint32_t now) { return board->plain(seat, now); }
bool core_may_paint(Board* board, uint32_t now) { return board->may_paint(now); }
void core_painted(Board* board, uint32_t now) { board->painted(now); }
uint16_t core_tone(Board* board, uint32_t now) { return board->tone(now); }
}
