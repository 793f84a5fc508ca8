// Twelve buttons at once: a change counts when it has held for five samples in a row.
#ifndef REMI_DEBOUNCE_H
#define REMI_DEBOUNCE_H

#include "protocol.h"

namespace remi {

class Debounce {
 public:
  // Buttons that are held when it begins were counted before.
  explicit Debounce(uint16_t held) : held_(held) {}

  // Takes which buttons are down, once a millisecond; returns those that have now gone down.
  uint16_t sample(uint16_t down) {
    static_assert(kDebounceMs == 5, "the counters below count to five");
    const uint16_t differs = down ^ held_;
    // A counter of three bits for each button, its bits side by side in three words.
    uint16_t carry = differs;
    ones_ ^= carry;
    carry &= ~ones_;
    twos_ ^= carry;
    carry &= ~twos_;
    fours_ ^= carry;
    ones_ &= differs;
    twos_ &= differs;
    fours_ &= differs;
    const uint16_t five = fours_ & ones_;
    held_ ^= five;
    ones_ &= ~five;
    fours_ &= ~five;
    return five & held_;
  }

  uint16_t held() const { return held_; }

 private:
  uint16_t held_;
  uint16_t ones_ = 0;
  uint16_t twos_ = 0;
  uint16_t fours_ = 0;
};

}  // namespace remi

#endif
