// Made from protocol.toml by `python -m firmware_bridge.header`; change it there.
#ifndef REMI_PROTOCOL_H
#define REMI_PROTOCOL_H

#include <stdint.h>

namespace remi {

#ifndef REMI_VERSION  // a test builds a board of another version
#define REMI_VERSION 1
#endif

constexpr uint8_t kVersion = REMI_VERSION;
constexpr uint32_t kBaud = 57600;
constexpr uint8_t kMaxBody = 48;
constexpr uint8_t kSeats = 4;
constexpr uint8_t kButtons = 3;
constexpr uint8_t kPixels = 8;

constexpr uint16_t kStatusMs = 50;
constexpr uint16_t kBriskMs = 10;
constexpr uint16_t kBriskForMs = 200;
constexpr uint16_t kHelloMs = 250;
constexpr uint16_t kAnswerMs = 40;
constexpr uint16_t kHostLostMs = 2000;
constexpr uint16_t kBoardLostMs = 1000;
constexpr uint16_t kDebounceMs = 5;
constexpr uint16_t kPressLampMs = 3;
constexpr uint16_t kPressShownMs = 150;
constexpr uint16_t kFrameMs = 20;
constexpr uint16_t kRefreshMs = 1000;

constexpr uint8_t kCapabilityPixels = 1;
constexpr uint8_t kCapabilityBuzzer = 2;

constexpr uint8_t kFlagHostWasLost = 1;
constexpr uint8_t kFlagOverrun = 2;

constexpr uint8_t kPatternOff = 0;
constexpr uint8_t kPatternSteady = 1;
constexpr uint8_t kPatternGauge = 2;
constexpr uint8_t kPatternHurry = 3;
constexpr uint8_t kPatternFlash = 4;
constexpr uint8_t kPatternAlternate = 5;
constexpr uint8_t kPatternBreathe = 6;
constexpr uint8_t kPatternChase = 7;
constexpr uint8_t kPatternBlink = 8;
constexpr uint8_t kPatternNoHost = 9;

struct Lamp {
  uint8_t pattern;
  uint8_t colour;
  uint8_t level;
};

constexpr uint8_t kColours = 7;
constexpr uint8_t kRgb[kColours][3] = {
    {255, 255, 255},  // white
    {0, 158, 115},  // green
    {0, 114, 178},  // blue
    {86, 180, 233},  // sky
    {230, 159, 0},  // amber
    {213, 94, 0},  // vermilion
    {204, 121, 167},  // purple
};

struct Tone {
  uint16_t hertz;
  uint16_t ms;
};

constexpr uint8_t kSounds = 5;
constexpr uint8_t kTones = 4;
constexpr Tone kSound[kSounds][kTones] = {
    {{0, 0}},  // none
    {{880, 60}},  // turn
    {{220, 180}, {0, 60}, {220, 180}},  // wrong
    {{660, 120}, {880, 120}, {660, 120}},  // call
    {{523, 120}, {659, 120}, {784, 120}, {1047, 300}},  // winner
};

// Who the board is. The first three fields never change their place, so that any version can be told.
struct Hello {
  static constexpr uint8_t kType = 1;
  static constexpr uint8_t kSize = 37;
  uint8_t seq;
  uint8_t version;
  uint8_t firmware;
  uint8_t capabilities;
  uint8_t seats;
  uint8_t buttons;
  uint8_t pixels;
  uint32_t epoch;  // Changes when the counters began anew, at power-up.
  uint8_t resets;  // Resets since then.
  uint8_t counts[12];  // Presses of each button modulo 256, seat by seat.
  uint8_t acked[12];  // Those of them that a host has taken over.

  void write(uint8_t* to) const {
    *to++ = kType;
    *to++ = seq;
    *to++ = version;
    *to++ = firmware;
    *to++ = capabilities;
    *to++ = seats;
    *to++ = buttons;
    *to++ = pixels;
    *to++ = uint8_t(epoch >> 0);
    *to++ = uint8_t(epoch >> 8);
    *to++ = uint8_t(epoch >> 16);
    *to++ = uint8_t(epoch >> 24);
    *to++ = resets;
    for (uint8_t i = 0; i < 12; i++) {
      *to++ = counts[i];
    }
    for (uint8_t i = 0; i < 12; i++) {
      *to++ = acked[i];
    }
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    seq = *from++;
    version = *from++;
    firmware = *from++;
    capabilities = *from++;
    seats = *from++;
    buttons = *from++;
    pixels = *from++;
    epoch = 0;
    epoch |= uint32_t(uint32_t(*from++) << 0);
    epoch |= uint32_t(uint32_t(*from++) << 8);
    epoch |= uint32_t(uint32_t(*from++) << 16);
    epoch |= uint32_t(uint32_t(*from++) << 24);
    resets = *from++;
    for (uint8_t i = 0; i < 12; i++) {
      counts[i] = *from++;
    }
    for (uint8_t i = 0; i < 12; i++) {
      acked[i] = *from++;
    }
    return true;
  }
};

// What the board knows; also its heartbeat.
struct Status {
  static constexpr uint8_t kType = 2;
  static constexpr uint8_t kSize = 17;
  uint8_t seq;
  uint8_t lamps;  // seq of the LAMPS shown, 0 for none since the last start or loss of the host.
  uint8_t flags;
  uint8_t bad_frames;  // Frames received that were none, modulo 256.
  uint8_t counts[12];

  void write(uint8_t* to) const {
    *to++ = kType;
    *to++ = seq;
    *to++ = lamps;
    *to++ = flags;
    *to++ = bad_frames;
    for (uint8_t i = 0; i < 12; i++) {
      *to++ = counts[i];
    }
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    seq = *from++;
    lamps = *from++;
    flags = *from++;
    bad_frames = *from++;
    for (uint8_t i = 0; i < 12; i++) {
      counts[i] = *from++;
    }
    return true;
  }
};

// The answer to HELLO of a companion that speaks this version.
struct Welcome {
  static constexpr uint8_t kType = 17;
  static constexpr uint8_t kSize = 3;
  uint8_t ack;
  uint8_t version;

  void write(uint8_t* to) const {
    *to++ = kType;
    *to++ = ack;
    *to++ = version;
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    ack = *from++;
    version = *from++;
    return true;
  }
};

// Everything the board is to show; the same twice changes nothing.
struct Lamps {
  static constexpr uint8_t kType = 18;
  static constexpr uint8_t kSize = 18;
  uint8_t ack;
  uint8_t seq;  // 1 to 255, another for another picture.
  uint8_t brightness;
  uint8_t sound;
  uint8_t sound_seq;  // The sound is played once for each change of this number, not at the first.
  Lamp lamps[4];  // Pattern, colour, level of each seat.

  void write(uint8_t* to) const {
    *to++ = kType;
    *to++ = ack;
    *to++ = seq;
    *to++ = brightness;
    *to++ = sound;
    *to++ = sound_seq;
    for (uint8_t i = 0; i < 4; i++) {
      *to++ = lamps[i].pattern;
      *to++ = lamps[i].colour;
      *to++ = lamps[i].level;
    }
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    ack = *from++;
    seq = *from++;
    brightness = *from++;
    sound = *from++;
    sound_seq = *from++;
    for (uint8_t i = 0; i < 4; i++) {
      lamps[i].pattern = *from++;
      lamps[i].colour = *from++;
      lamps[i].level = *from++;
    }
    return true;
  }
};

// The answer where nothing is to be changed; also the host's heartbeat.
struct Beat {
  static constexpr uint8_t kType = 19;
  static constexpr uint8_t kSize = 2;
  uint8_t ack;

  void write(uint8_t* to) const {
    *to++ = kType;
    *to++ = ack;
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    ack = *from++;
    return true;
  }
};

// Asks for HELLO, for a companion that was started while the board was already talking.
struct Ask {
  static constexpr uint8_t kType = 20;
  static constexpr uint8_t kSize = 1;

  void write(uint8_t* to) const {
    *to++ = kType;
    (void)to;
  }

  // False where these bytes are no such message.
  bool read(const uint8_t* from, uint8_t size) {
    if (size != kSize || *from++ != kType) return false;
    return true;
  }
};

}  // namespace remi

#endif
