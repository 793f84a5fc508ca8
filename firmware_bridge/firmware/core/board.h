// The board without its hardware: what it says, what it shows, and what it has counted. Time is handed in.
#ifndef REMI_BOARD_H
#define REMI_BOARD_H

#include "frames.h"
#include "patterns.h"

namespace remi {

constexpr uint8_t kFirmware = 1;
constexpr uint8_t kAllButtons = kSeats * kButtons;
constexpr uint8_t kGrb = 3 * kPixels;

// What outlives a reset.
struct Counters {
  uint32_t epoch;
  uint16_t held;  // the buttons that were down: held through a reset, they are not pressed again
  uint8_t resets;
  uint8_t counts[kAllButtons];
  uint8_t acked[kAllButtons];
};

class Board {
 public:
  Board(uint8_t capabilities, const Counters& kept) : counters_(kept), capabilities_(capabilities) {}

  // Once a millisecond.
  void tick(uint32_t now);
  // A byte from the line.
  void receive(uint8_t byte, uint32_t now);
  // Bytes were lost before this one.
  void overrun() { overrun_ = true; }
  // The buttons that have gone down, and those that are down.
  void buttons(uint16_t pressed, uint16_t held, uint32_t now);

  // Writes the frame that is to be sent now, if any, and returns its bytes. Asked only while nothing is being sent.
  uint8_t speak(uint32_t now, uint8_t* wire);

  // Whether pixels may be written now: not while an answer may be on its way, since they stop the receiver.
  bool may_paint(uint32_t now) const;
  // True where the seat's pixels are to be written; fills them in, and takes it that they are.
  bool picture(uint8_t seat, uint32_t now, uint8_t* grb);
  // To be called when all seats were asked.
  void painted(uint32_t now);
  // Whether the seat's plain LED is on.
  bool plain(uint8_t seat, uint32_t now) const;
  // The tone of the buzzer in hertz, 0 for silence.
  uint16_t tone(uint32_t now);

  bool up() const { return up_; }
  const Counters& counters() const { return counters_; }
  // Whether the counters have changed since this was asked last.
  bool take_changed();

 private:
  static constexpr uint8_t kRemembered = 8;  // reports whose answer is still taken

  void handle(uint32_t now);
  void acknowledge(uint8_t seq);
  void show(const Lamps& message, uint32_t now);
  void lose_host();
  Lamp shown(uint8_t seat) const;
  uint8_t note_report(uint32_t now);

  Counters counters_;
  uint8_t capabilities_;
  bool changed_ = false;
  Decoder decoder_;

  bool up_ = false;
  bool overrun_ = false;
  bool lost_before_ = false;
  bool speak_now_ = true;
  bool hello_asked_ = false;
  bool awaiting_ = false;
  uint32_t spoke_ = 0;
  uint32_t heard_ = 0;
  uint32_t brisk_until_ = 0;
  uint8_t seq_ = 0;
  uint8_t acked_seq_ = 0;
  uint8_t reported_[kRemembered][kAllButtons] = {};

  uint8_t lamps_seq_ = 0;
  uint8_t brightness_ = 32;
  Lamp lamps_[kSeats] = {};
  uint32_t since_[kSeats] = {};
  uint32_t no_host_since_ = 0;

  uint32_t press_at_[kSeats] = {};
  uint8_t press_shown_ = 0;    // seats that show a press
  uint8_t press_waits_ = 0;    // seats whose press is not on the pixels yet
  bool dirty_ = true;
  uint32_t painted_at_ = 0;
  uint32_t refreshed_ = 0u - kRefreshMs;  // at once: pixels keep what they showed before a reset
  uint8_t pixels_[kSeats][kGrb] = {};

  uint8_t sound_seq_ = 0;
  bool sound_known_ = false;
  uint8_t sound_ = 0;
  uint8_t tone_ = kTones;  // which tone of the sound is on; kTones for none
  uint32_t tone_since_ = 0;
};

}  // namespace remi

#endif
