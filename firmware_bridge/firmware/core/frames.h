// Frames on the line: COBS, CRC-16, and a decoder that takes the line byte by byte.
#ifndef REMI_FRAMES_H
#define REMI_FRAMES_H

#include "protocol.h"

namespace remi {

constexpr uint8_t kMaxMessage = kMaxBody - 1;  // COBS adds one byte
constexpr uint8_t kMaxFrame = 1 + kMaxBody + 3;
constexpr uint8_t kMaxWire = kMaxFrame + 2;  // a 00 before and after it

uint16_t crc16(uint16_t crc, uint8_t byte);
constexpr uint16_t kCrcStart = 0xFFFF;

// Writes the frame of a message, with a 00 before and after it; returns its bytes, 0 for a message that is too long.
uint8_t encode(const uint8_t* message, uint8_t size, uint8_t* wire);

class Decoder {
 public:
  // True where this byte completes a message; it is valid until the next byte.
  bool take(uint8_t byte);
  const uint8_t* message() const { return buffer_; }
  uint8_t size() const { return size_; }
  // Stretches between two 00 that were no frame, modulo 256.
  uint8_t bad() const { return bad_; }

 private:
  bool finish();

  uint8_t buffer_[kMaxFrame];
  uint8_t filled_ = 0;
  bool overflow_ = false;
  uint8_t size_ = 0;
  uint8_t bad_ = 0;
};

}  // namespace remi

#endif
