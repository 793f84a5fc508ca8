#include "patterns.h"

namespace remi {

namespace {

uint8_t gauge(uint8_t level, uint8_t pixel) {
  const int16_t rest = int16_t(level * kPixels) - int16_t(pixel) * 255;
  return rest <= 0 ? 0 : rest >= 255 ? 255 : uint8_t(rest);
}

uint8_t scaled(uint8_t value, uint8_t by) { return uint8_t((uint16_t(value) * (by + 1u)) >> 8); }

bool flashes(uint16_t second) { return second < 100 || (second >= 200 && second < 300); }

}  // namespace

uint8_t intensity(const Lamp& lamp, const Moment& moment, uint8_t pixel) {
  const uint16_t ms = moment.ms;
  const uint16_t second = moment.second;
  switch (lamp.pattern) {
    case kPatternSteady:
      return 255;
    case kPatternGauge:
      return gauge(lamp.level, pixel);
    case kPatternHurry:
      // Always at least one pixel: the last seconds must not look like a lamp that is off.
      return second % 250 >= 125 ? 0 : pixel == 0 ? 255 : gauge(lamp.level, pixel);
    case kPatternFlash:
      return flashes(second) ? 255 : 0;
    case kPatternAlternate:
      return ((second >= 500) ^ (pixel & 1)) ? 0 : 255;
    case kPatternBreathe: {
      const uint16_t t = uint16_t(ms & 4095);
      const uint8_t rise = uint8_t((t < 2048 ? t : 4095 - t) >> 3);
      return uint8_t(32 + ((uint16_t(rise) * 7) >> 3));
    }
    case kPatternChase:
      return ((pixel - uint8_t(ms >> 7)) & (kPixels - 1)) < 3 ? 255 : 0;
    case kPatternBlink:
      return second < 800 ? 255 : 0;
    case kPatternNoHost:
      return pixel == 0 && (ms & 2047) < 200 ? 64 : 0;
    default:
      return 0;
  }
}

bool plain_on(const Lamp& lamp, uint32_t milliseconds) {
  const Moment moment(milliseconds);
  const uint16_t ms = moment.ms;
  const uint16_t second = moment.second;
  switch (lamp.pattern) {
    case kPatternSteady:
    case kPatternGauge:
      return true;
    case kPatternHurry:
      return second % 250 < 125;
    case kPatternFlash:
      return flashes(second);
    case kPatternAlternate:
      return second < 500;
    case kPatternBreathe:
      return (ms & 4095) < 2048;
    case kPatternChase:
      return second < 360 && second % 120 < 60;
    case kPatternBlink:
      return second < 800;
    case kPatternNoHost:
      return (ms & 2047) < 200;
    default:
      return false;
  }
}

void render(const Lamp& lamp, uint32_t ms, uint8_t brightness, uint8_t* grb) {
  static_assert((kPixels & (kPixels - 1)) == 0, "chase runs round a power of two");
  const Moment moment(ms);
  const uint8_t* rgb = kRgb[lamp.colour < kColours ? lamp.colour : 0];
  for (uint8_t pixel = 0; pixel < kPixels; pixel++) {
    const uint8_t by = scaled(intensity(lamp, moment, pixel), brightness);
    *grb++ = scaled(rgb[1], by);
    *grb++ = scaled(rgb[0], by);
    *grb++ = scaled(rgb[2], by);
  }
}

}  // namespace remi
