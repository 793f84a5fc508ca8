#include "frames.h"

namespace remi {

// CRC-16/IBM-3740, polynomial 0x1021, eight bits at a time without a table.
uint16_t crc16(uint16_t crc, uint8_t byte) {
  crc = uint16_t((crc >> 8) | (crc << 8));
  crc ^= byte;
  crc ^= (crc & 0xFF) >> 4;
  crc ^= uint16_t(crc << 12);
  crc ^= uint16_t((crc & 0xFF) << 5);
  return crc;
}

uint8_t encode(const uint8_t* message, uint8_t size, uint8_t* wire) {
  if (size == 0 || size > kMaxMessage) return 0;
  uint8_t* frame = wire + 1;
  uint8_t* body = frame + 1;
  wire[0] = 0;
  frame[0] = uint8_t(0x80 | (size + 1 + 3));
  uint8_t code = 0;  // where the distance to the next zero stands
  for (uint8_t i = 0; i < size; i++) {
    if (message[i] == 0) {
      body[code] = uint8_t(i + 1 - code);
      code = uint8_t(i + 1);
    } else {
      body[i + 1] = message[i];
    }
  }
  body[code] = uint8_t(size + 1 - code);
  uint16_t crc = kCrcStart;
  for (uint8_t i = 0; i < size + 2; i++) crc = crc16(crc, frame[i]);
  uint8_t* end = body + size + 1;
  *end++ = uint8_t(0x80 | (crc & 0x7F));
  *end++ = uint8_t(0x80 | ((crc >> 7) & 0x7F));
  *end++ = uint8_t(0x80 | (crc >> 14));
  *end++ = 0;
  return uint8_t(end - wire);
}

bool Decoder::take(uint8_t byte) {
  if (byte != 0) {
    if (filled_ < kMaxFrame) {
      buffer_[filled_++] = byte;
    } else {
      overflow_ = true;
    }
    return false;
  }
  if (filled_ == 0) return false;
  const bool good = !overflow_ && finish();
  if (!good) bad_++;
  filled_ = 0;
  overflow_ = false;
  return good;
}

// Checks the frame in the buffer and puts its message in its place.
bool Decoder::finish() {
  if (filled_ < 1 + 2 + 3 || buffer_[0] != (0x80 | (filled_ - 1))) return false;
  const uint8_t body = uint8_t(filled_ - 4);
  const uint8_t* sent = buffer_ + 1 + body;
  if (!(sent[0] & sent[1] & 0x80) || (sent[2] & 0xFC) != 0x80) return false;
  uint16_t crc = kCrcStart;
  for (uint8_t i = 0; i < 1 + body; i++) crc = crc16(crc, buffer_[i]);
  const uint16_t told = uint16_t((sent[0] & 0x7F) | ((sent[1] & 0x7F) << 7) | (sent[2] << 14));
  if (crc != told) return false;
  uint8_t zero = buffer_[1];
  for (uint8_t i = 1; i < body; i++) {
    if (i == zero) {
      zero = uint8_t(zero + buffer_[1 + i]);
      buffer_[i - 1] = 0;
    } else {
      buffer_[i - 1] = buffer_[1 + i];
    }
  }
  if (zero != body) return false;
  size_ = uint8_t(body - 1);
  return true;
}

}  // namespace remi
