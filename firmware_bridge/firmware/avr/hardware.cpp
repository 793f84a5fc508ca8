#include "hardware.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stddef.h>
#include <util/atomic.h>

namespace remi {
namespace hardware {

namespace {

constexpr uint8_t kRing = 64;  // a power of two

volatile uint32_t g_now;
Debounce g_debounce(0);
volatile uint16_t g_pressed;
volatile uint16_t g_held;
volatile bool g_ticked;

volatile uint8_t g_received[kRing];
volatile uint8_t g_head;
volatile uint8_t g_tail;
volatile bool g_overrun;

uint8_t g_wire[kMaxWire];
volatile uint8_t g_size;
volatile uint8_t g_sent;

// Two copies in turn, each with its checksum: a reset while one is written leaves the other.
struct Kept {
  Counters counters;
  uint8_t generation;
  uint16_t crc;
};
Kept g_kept[2] __attribute__((section(".noinit")));
uint8_t g_generation;
uint16_t g_starts EEMEM;

uint16_t checksum(const Kept& kept) {
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(&kept);
  uint16_t crc = 0x5249;  // so that memory full of zeros is no valid copy
  for (uint8_t i = 0; i < offsetof(Kept, crc); i++) crc = crc16(crc, bytes[i]);
  return crc;
}

bool valid(const Kept& kept) { return kept.crc == checksum(kept); }

uint16_t buttons_down() {
  const uint16_t d = (PIND >> 2) & 0x3F;
  const uint16_t c = PINC & 0x3F;
  return uint16_t(~(d | (c << 6)) & 0x0FFF);
}

}  // namespace

ISR(TIMER0_COMPA_vect) {
  g_now = g_now + 1;
  g_pressed = g_pressed | g_debounce.sample(buttons_down());
  g_held = g_debounce.held();
  g_ticked = true;
}

ISR(USART_RX_vect) {
  if (UCSR0A & _BV(DOR0)) g_overrun = true;
  const uint8_t byte = UDR0;
  const uint8_t next = (g_head + 1) & (kRing - 1);
  if (next == g_tail) {
    g_overrun = true;
    return;
  }
  g_received[g_head] = byte;
  g_head = next;
}

ISR(USART_UDRE_vect) {
  UDR0 = g_wire[g_sent];
  g_sent = g_sent + 1;
  if (g_sent == g_size) {
    g_size = 0;
    UCSR0B &= uint8_t(~_BV(UDRIE0));
  }
}

void begin(uint16_t held) {
  g_debounce = Debounce(held);
  g_held = held;
  PORTD = 0xFC;  // buttons to ground, pull-ups on; D0 and D1 are the serial line
  PORTC = 0x3F;
  DDRB = 0x3E;  // buzzer on D9, lamps on D10 to D13; port B has no inputs, so it may be written whole

  TCCR0A = _BV(WGM01);  // clear on compare: 16 MHz / 64 / 250 = 1 kHz
  TCCR0B = _BV(CS01) | _BV(CS00);
  OCR0A = 249;
  TIMSK0 = _BV(OCIE0A);

  UCSR0A = _BV(U2X0);
  UBRR0 = (F_CPU + 4 * kBaud) / (8 * kBaud) - 1;
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);

  set_sleep_mode(SLEEP_MODE_IDLE);
  sei();
}

uint32_t now() {
  uint32_t value;
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { value = g_now; }
  return value;
}

uint16_t take_pressed(uint16_t* held) {
  uint16_t pressed;
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    pressed = g_pressed;
    g_pressed = 0;
    *held = g_held;
  }
  return pressed;
}

bool take_byte(uint8_t* byte) {
  if (g_head == g_tail) return false;
  *byte = g_received[g_tail];
  g_tail = (g_tail + 1) & (kRing - 1);
  return true;
}

bool take_overrun() {
  const bool lost = g_overrun;
  if (lost) g_overrun = false;
  return lost;
}

bool transmit_free() { return g_size == 0; }

uint8_t* transmit_buffer() { return g_wire; }

void transmit(uint8_t size) {
  g_sent = 0;
  g_size = size;
  UCSR0B |= _BV(UDRIE0);
}

// 20 cycles a bit: high for 5 (0.31 us) or 12 (0.75 us), then low. WS2812, WS2812B and SK6812 all take these.
void write_pixels(uint8_t seat, const uint8_t* grb) {
  const uint8_t pin = uint8_t(_BV(PB2) << seat);
  uint8_t bytes = kGrb;
  uint8_t byte;
  uint8_t bits;
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    const uint8_t low = PORTB & uint8_t(~pin);
    const uint8_t high = low | pin;
    asm volatile(
        "1: ld %[byte], %a[from]+   \n"
        "   ldi %[bits], 8          \n"
        "2: out %[port], %[high]    \n"  // up
        "   nop \n nop \n nop       \n"
        "   sbrs %[byte], 7         \n"
        "   out %[port], %[low]     \n"  // down after 5 cycles for a 0
        "   lsl %[byte]             \n"
        "   nop \n nop \n nop \n nop \n nop \n"
        "   out %[port], %[low]     \n"  // down after 12 cycles for a 1
        "   nop \n nop \n nop \n nop \n"
        "   dec %[bits]             \n"
        "   brne 2b                 \n"
        "   dec %[bytes]            \n"
        "   brne 1b                 \n"
        : [bytes] "+r"(bytes), [byte] "=&r"(byte), [bits] "=&d"(bits), [from] "+e"(grb)
        : [port] "I"(_SFR_IO_ADDR(PORTB)), [high] "r"(high), [low] "r"(low)
        : "memory");
  }
}

void write_plain(uint8_t seat, bool on) {
  const uint8_t pin = uint8_t(_BV(PB2) << seat);
  if (on) {
    PORTB |= pin;
  } else {
    PORTB &= uint8_t(~pin);
  }
}

void buzz(uint16_t hertz) {
  static uint16_t sounding = 0;
  if (hertz == sounding) return;
  sounding = hertz;
  if (hertz == 0) {
    TCCR1A = 0;
    TCCR1B = 0;
    PORTB &= uint8_t(~_BV(PB1));
    return;
  }
  OCR1A = uint16_t(F_CPU / 8 / 2 / hertz - 1);
  TCNT1 = 0;
  TCCR1A = _BV(COM1A0);  // the timer itself toggles D9
  TCCR1B = _BV(WGM12) | _BV(CS11);
}

void rest() {
  cli();
  // Interrupts stay off for the look and the sleep, so that none comes in between and is slept through.
  if (!g_ticked && g_head == g_tail) {
    sleep_enable();
    sei();
    sleep_cpu();
    sleep_disable();
  }
  g_ticked = false;
  sei();
}

Counters restore() {
  const bool first = valid(g_kept[0]);
  const bool second = valid(g_kept[1]);
  if (first || second) {
    uint8_t newest = first ? 0 : 1;
    if (first && second && int8_t(g_kept[1].generation - g_kept[0].generation) > 0) newest = 1;
    g_generation = g_kept[newest].generation;
    Counters counters = g_kept[newest].counters;
    if (counters.resets != 255) counters.resets++;
    return counters;
  }
  // What memory holds at power-up differs from board to board, the count of starts from time to time: together they
  // tell one run of the counters from every other.
  uint16_t noise = kCrcStart;
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(RAMSTART);
  for (uint16_t i = 0; i <= RAMEND - RAMSTART; i++) noise = crc16(noise, bytes[i]);
  const uint16_t starts = uint16_t(eeprom_read_word(&g_starts) + 1);
  eeprom_update_word(&g_starts, starts);
  Counters counters = {};
  counters.epoch = (uint32_t(starts) << 16) | noise;
  counters.held = 0x0FFF;  // what is down while the board is plugged in is no press
  return counters;
}

void keep(const Counters& counters) {
  g_generation++;
  Kept& kept = g_kept[g_generation & 1];
  kept.crc = uint16_t(~kept.crc);
  kept.counters = counters;
  kept.generation = g_generation;
  kept.crc = checksum(kept);
}

}  // namespace hardware
}  // namespace remi
