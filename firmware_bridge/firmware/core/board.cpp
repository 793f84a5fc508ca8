#include "board.h"

namespace remi {

namespace {

constexpr uint8_t kGapMs = 2;  // between two pictures: WS2812 take a picture over in a pause of 0.3 ms

bool same(const Lamp& one, const Lamp& other) {
  return one.pattern == other.pattern && one.colour == other.colour && one.level == other.level;
}

}  // namespace

void Board::tick(uint32_t now) {
  if (awaiting_ && now - spoke_ >= kAnswerMs) awaiting_ = false;
  if (up_ && now - heard_ >= kHostLostMs) {
    lose_host();
    no_host_since_ = now;
  }
  for (uint8_t seat = 0; seat < kSeats; seat++) {
    if ((press_shown_ >> seat & 1) && now - press_at_[seat] >= kPressShownMs) {
      press_shown_ &= uint8_t(~(1 << seat));
      dirty_ = true;
    }
  }
}

void Board::receive(uint8_t byte, uint32_t now) {
  if (decoder_.take(byte)) handle(now);
}

void Board::handle(uint32_t now) {
  Welcome welcome;
  Lamps lamps;
  Beat beat;
  Ask ask;
  const uint8_t* message = decoder_.message();
  const uint8_t size = decoder_.size();
  if (ask.read(message, size)) {
    hello_asked_ = true;
    speak_now_ = true;
    awaiting_ = false;
  } else if (welcome.read(message, size) && welcome.version == kVersion) {
    acknowledge(welcome.ack);
    heard_ = now;
    speak_now_ = true;
    // A companion that has just come knows nothing of what is shown, and must not take an old number for its own.
    lamps_seq_ = 0;
    sound_known_ = false;
    if (!up_) {
      up_ = true;
      dirty_ = true;
    }
  } else if (up_ && lamps.read(message, size)) {
    acknowledge(lamps.ack);
    heard_ = now;
    show(lamps, now);
  } else if (up_ && beat.read(message, size)) {
    acknowledge(beat.ack);
    heard_ = now;
  }
}

void Board::acknowledge(uint8_t seq) {
  if (seq == seq_) awaiting_ = false;
  // Only forward, and only reports that are still known: a late answer must not take anything back.
  if (uint8_t(seq_ - seq) >= kRemembered || uint8_t(seq - acked_seq_) >= 128) return;
  acked_seq_ = seq;
  const uint8_t* counts = reported_[seq % kRemembered];
  for (uint8_t i = 0; i < kAllButtons; i++) {
    if (counters_.acked[i] != counts[i]) {
      counters_.acked[i] = counts[i];
      changed_ = true;
    }
  }
}

void Board::show(const Lamps& message, uint32_t now) {
  if (message.seq == lamps_seq_) return;
  lamps_seq_ = message.seq;
  if (brightness_ != message.brightness) {
    brightness_ = message.brightness;
    dirty_ = true;
  }
  for (uint8_t seat = 0; seat < kSeats; seat++) {
    if (same(lamps_[seat], message.lamps[seat])) continue;
    // A gauge that moves on keeps its rhythm; another pattern begins at its beginning.
    if (lamps_[seat].pattern != message.lamps[seat].pattern) since_[seat] = now;
    lamps_[seat] = message.lamps[seat];
    dirty_ = true;
  }
  if (sound_known_ && message.sound_seq != sound_seq_ && message.sound < kSounds) {
    sound_ = message.sound;
    tone_ = 0;
    tone_since_ = now;
  }
  sound_seq_ = message.sound_seq;
  sound_known_ = true;
}

void Board::lose_host() {
  up_ = false;
  lost_before_ = true;
  awaiting_ = false;
  dirty_ = true;
  speak_now_ = true;
}

void Board::buttons(uint16_t pressed, uint16_t held, uint32_t now) {
  if (held != counters_.held) {
    counters_.held = held;
    changed_ = true;
  }
  for (uint8_t i = 0; i < kAllButtons; i++) {
    if (!(pressed >> i & 1)) continue;
    const uint8_t seat = uint8_t(i / kButtons);
    press_at_[seat] = now;
    press_shown_ |= uint8_t(1 << seat);
    press_waits_ |= uint8_t(1 << seat);
    dirty_ = true;
    // One more would look like none at all.
    if (uint8_t(counters_.counts[i] - counters_.acked[i]) == 255) continue;
    counters_.counts[i]++;
    changed_ = true;
    if (up_) {
      speak_now_ = true;
      brisk_until_ = now + kBriskForMs;
    }
  }
}

bool Board::take_changed() {
  const bool changed = changed_;
  changed_ = false;
  return changed;
}

uint8_t Board::note_report(uint32_t now) {
  seq_++;
  uint8_t* counts = reported_[seq_ % kRemembered];
  for (uint8_t i = 0; i < kAllButtons; i++) counts[i] = counters_.counts[i];
  spoke_ = now;
  speak_now_ = false;
  awaiting_ = true;
  return seq_;
}

uint8_t Board::speak(uint32_t now, uint8_t* wire) {
  if (awaiting_) return 0;
  uint16_t pause = kHelloMs;
  if (up_) pause = int32_t(brisk_until_ - now) > 0 ? kBriskMs : kStatusMs;
  if (!speak_now_ && now - spoke_ < pause) return 0;
  uint8_t message[kMaxMessage];
  if (!up_ || hello_asked_) {
    hello_asked_ = false;
    Hello hello;
    hello.seq = note_report(now);
    // Without this, the reports of an earlier link could be taken for acknowledged.
    acked_seq_ = uint8_t(hello.seq - 1);
    hello.version = kVersion;
    hello.firmware = kFirmware;
    hello.capabilities = capabilities_;
    hello.seats = kSeats;
    hello.buttons = kButtons;
    hello.pixels = capabilities_ & kCapabilityPixels ? kPixels : 1;
    hello.epoch = counters_.epoch;
    hello.resets = counters_.resets;
    for (uint8_t i = 0; i < kAllButtons; i++) {
      hello.counts[i] = counters_.counts[i];
      hello.acked[i] = counters_.acked[i];
    }
    hello.write(message);
    return encode(message, Hello::kSize, wire);
  }
  Status status;
  status.seq = note_report(now);
  status.lamps = lamps_seq_;
  status.flags = uint8_t((lost_before_ ? kFlagHostWasLost : 0) | (overrun_ ? kFlagOverrun : 0));
  status.bad_frames = decoder_.bad();
  for (uint8_t i = 0; i < kAllButtons; i++) status.counts[i] = counters_.counts[i];
  overrun_ = false;
  lost_before_ = false;
  status.write(message);
  return encode(message, Status::kSize, wire);
}

bool Board::may_paint(uint32_t now) const {
  const uint32_t since = now - painted_at_;
  if (since < kGapMs || !(dirty_ || since >= kFrameMs)) return false;
  if (!awaiting_) return true;
  // A press is shown in time even where the host is slow: 8 pixels stop the receiver for 0.25 ms, and it holds two bytes.
  for (uint8_t seat = 0; seat < kSeats; seat++) {
    if ((press_waits_ >> seat & 1) && now - press_at_[seat] >= kPressLampMs) return true;
  }
  return false;
}

Lamp Board::shown(uint8_t seat) const {
  if (press_shown_ >> seat & 1) {
    // White, and where the lamp is white already, amber.
    const uint8_t colour = up_ && lamps_[seat].colour == 0 ? 4 : 0;
    return Lamp{kPatternSteady, colour, 0};
  }
  if (!up_) return Lamp{kPatternNoHost, 0, 0};
  return lamps_[seat];
}

bool Board::picture(uint8_t seat, uint32_t now, uint8_t* grb) {
  const Lamp lamp = shown(seat);
  render(lamp, now - (up_ ? since_[seat] : no_host_since_), brightness_, grb);
  press_waits_ &= uint8_t(~(1 << seat));
  bool differs = now - refreshed_ >= kRefreshMs;
  for (uint8_t i = 0; i < kGrb; i++) {
    if (pixels_[seat][i] != grb[i]) {
      pixels_[seat][i] = grb[i];
      differs = true;
    }
  }
  return differs;
}

void Board::painted(uint32_t now) {
  painted_at_ = now;
  dirty_ = false;
  if (now - refreshed_ >= kRefreshMs) refreshed_ = now;
}

bool Board::plain(uint8_t seat, uint32_t now) const {
  return plain_on(shown(seat), now - (up_ ? since_[seat] : no_host_since_));
}

uint16_t Board::tone(uint32_t now) {
  while (tone_ < kTones) {
    const Tone& tone = kSound[sound_][tone_];
    if (tone.ms != 0 && now - tone_since_ < tone.ms) return tone.hertz;
    tone_since_ += tone.ms;
    tone_ = tone.ms == 0 ? kTones : uint8_t(tone_ + 1);
  }
  return 0;
}

}  // namespace remi
