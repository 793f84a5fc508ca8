/* Runs the board's true .hex in simavr for the tests: its serial line is a pty, its pins hang on a control socket.
 *
 *   boardsim HEX FD     FD: an inherited stream socket with one command a line; the program ends when it closes.
 *
 *   plug                -> path of the pty         unplug   -> ok     the line goes, the board runs on
 *   run CYCLES BYTES    -> ran CYCLE SENT          waits for so many bytes in all from the line, runs so far
 *                                                  at most, and stops 1 ms after the end of a frame from the board
 *   free PERCENT        -> ok                      runs by itself, paced to so many percent of real time
 *   hold                -> ran CYCLE SENT
 *   pin P N LEVEL DELAY    (no answer)             sets an input so many cycles from now
 *   reset | power SEED  -> ok                      a reset keeps memory; a power-up fills it with noise
 *   watch               -> records, then: end CYCLE OVERRUNS CROSSINGS
 *
 * OVERRUNS are bytes lost in the receiver, CROSSINGS pictures that were written while a byte was on its way to the board.
 * Records: `strip PIN FIRST LAST HEX`, pixels as a WS2812 takes them; `bad PIN CYCLE WIDTH`, a pulse that is none;
 * `high PIN FROM TO` and `up PIN SINCE`, a plain level; `input P N LEVEL CYCLE NANOSECONDS` (of the monotonic clock).
 *
 * A tool for tests only, not part of the product. Links libsimavr, which is under the GNU GPL version 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_hex.h>

enum { HZ = 16000000, LATCH = 4800, LOW_MAX = 80, LAMPS = 4, QUEUE = 1 << 16, EVENTS = 4096 };

typedef struct { char port; int pin, level; avr_cycle_count_t at; } Input;
typedef struct { avr_cycle_count_t rise, fall, first, crossed; int up, bits; unsigned char bytes[64]; } Lamp;

static avr_t *avr;
static avr_uart_t *uart;
static int control, master = -1, slave = -1;
static unsigned char queue[QUEUE];
static unsigned long received, taken, sent, overruns;
static avr_cycle_count_t frame_end, byte_end;
static unsigned long crossings;
static Input inputs[EVENTS];
static int input_count;
static Lamp lamps[LAMPS];
static const char buttons[] = "D2D3D4D5D6D7C0C1C2C3C4C5";
static int levels[sizeof buttons / 2] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  /* pulled up: not pressed */
static char *records;
static size_t records_size;
static FILE *out;

static void give_up(const char *what) { perror(what); exit(2); }

static void answer(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (write(control, line, size) != size) exit(0);
}

static long long nanoseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* ---- the serial line */

static void transmitted(struct avr_irq_t *irq, uint32_t value, void *unused) {
    static unsigned char before;
    unsigned char byte = value;
    (void)irq; (void)unused;
    if (before && !byte) frame_end = avr->cycle;
    before = byte;
    sent += master >= 0 && write(master, &byte, 1) == 1;  /* nobody there, or his buffer full: lost, as on a real line */
}

/* One byte begins on the line each time. The chip holds two and the one being shifted in; a fourth is lost.
 * simavr hands a byte over one byte's time after it was put in, which is when a real one is complete. */
static avr_cycle_count_t next_byte(avr_t *a, avr_cycle_count_t when, void *unused) {
    (void)a; (void)unused;
    if (taken == received) return 0;
    unsigned char byte = queue[taken++ % QUEUE];
    if (((uart->input.write - uart->input.read) & 63) >= 3) overruns++;
    else avr_raise_irq(uart->io.irq + UART_IRQ_INPUT, byte);
    return byte_end = when + uart->cycles_per_byte;
}

static void feed(void) {
    if (taken != received && !avr_cycle_timer_status(avr, next_byte, NULL))
        avr_cycle_timer_register(avr, 1, next_byte, NULL);
}

static void listen_to_line(unsigned long until) {
    for (;;) {
        unsigned char bytes[512];
        size_t room = QUEUE - (received - taken);
        if (master < 0 || !room) break;
        ssize_t size = read(master, bytes, room < sizeof bytes ? room : sizeof bytes);
        for (ssize_t i = 0; i < size; i++) queue[received++ % QUEUE] = bytes[i];
        if (size > 0) continue;
        if (received >= until) break;
        struct pollfd wait[] = {{master, POLLIN, 0}, {control, 0, 0}};
        if (poll(wait, 2, 2000) <= 0 || wait[1].revents) break;
    }
    feed();
}

static void unplug(void) {
    if (master >= 0) { close(master); close(slave); }
    master = slave = -1;
    taken = received = sent = 0;
}

static void plug(void) {
    char path[128];
    struct termios raw;
    unplug();
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    if (openpty(&master, &slave, path, &raw, NULL) < 0) give_up("openpty");
    fcntl(master, F_SETFL, O_NONBLOCK);
    answer("%s\n", path);
}

/* ---- the pins */

static void finish(int index) {
    Lamp *lamp = &lamps[index];
    if (!lamp->bits) return;
    fprintf(out, "strip %d %llu %llu ", index, (long long)lamp->first, (long long)lamp->fall);
    for (int i = 0; i < (lamp->bits + 7) / 8; i++) fprintf(out, "%02x", lamp->bytes[i]);
    fprintf(out, "%s\n", lamp->bits % 8 ? "?" : "");
    lamp->bits = 0;
    memset(lamp->bytes, 0, sizeof lamp->bytes);
}

static void lamp_edge(struct avr_irq_t *irq, uint32_t value, void *parameter) {
    long index = (long)parameter;
    Lamp *lamp = &lamps[index];
    (void)irq;
    if ((int)(value & 1) == lamp->up) return;
    lamp->up = value & 1;
    if (lamp->up) {
        avr_cycle_count_t low = avr->cycle - lamp->fall;
        if (low >= LATCH) finish(index);
        else if (lamp->bits && (low > LOW_MAX || low < 7)) fprintf(out, "bad %ld %llu -%llu\n", index, (long long)avr->cycle, (long long)low);
        lamp->rise = avr->cycle;
        return;
    }
    avr_cycle_count_t high = avr->cycle - lamp->rise;
    lamp->fall = avr->cycle;
    if (high > 1000) fprintf(out, "high %ld %llu %llu\n", index, (long long)lamp->rise, (long long)lamp->fall);
    else if ((high >= 4 && high <= 8) || (high >= 10 && high <= 15)) {
        if (!lamp->bits) lamp->first = lamp->rise;
        if (avr->cycle < byte_end && lamp->crossed < lamp->first) { crossings++; lamp->crossed = lamp->first; }
        if (lamp->bits < 8 * (int)sizeof lamp->bytes && high >= 10) lamp->bytes[lamp->bits / 8] |= 0x80 >> lamp->bits % 8;
        if (lamp->bits < 8 * (int)sizeof lamp->bytes) lamp->bits++;
    } else fprintf(out, "bad %ld %llu %llu\n", index, (long long)avr->cycle, (long long)high);
}

static void buzzer_edge(struct avr_irq_t *irq, uint32_t value, void *unused) {
    static int level;
    (void)irq; (void)unused;
    if ((int)(value & 1) != level) fprintf(out, "buzz %llu\n", (long long)avr->cycle);
    level = value & 1;
}

static avr_irq_t *pin(char port, int number) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), number); }

/* A contact to ground is stronger than a pull-up; simavr lets the pull-up win whenever the port is written, unless it
 * is told what hangs outside. */
static void set_input(char port, int number, int level) {
    avr_ioport_external_t outside = {.name = port};
    for (int i = 0; buttons[i]; i += 2) {
        if (buttons[i] != port) continue;
        if (buttons[i + 1] == '0' + number) levels[i / 2] = level;
        outside.mask |= 1 << (buttons[i + 1] - '0');
        outside.value |= levels[i / 2] << (buttons[i + 1] - '0');
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &outside);
    avr_raise_irq(pin(port, number), level);
}

static avr_cycle_count_t next_input(avr_t *a, avr_cycle_count_t when, void *unused) {
    (void)unused;
    while (input_count && inputs[0].at <= when) {
        Input now = inputs[0];
        memmove(inputs, inputs + 1, --input_count * sizeof *inputs);
        set_input(now.port, now.pin, now.level);
        fprintf(out, "input %c %d %d %llu %lld\n", now.port, now.pin, now.level, (long long)a->cycle, nanoseconds());
    }
    return input_count ? inputs[0].at : 0;
}

static void schedule_inputs(void) {
    avr_cycle_timer_cancel(avr, next_input, NULL);
    if (input_count) {
        avr_cycle_count_t at = inputs[0].at;
        avr_cycle_timer_register(avr, at > avr->cycle ? at - avr->cycle : 1, next_input, NULL);
    }
}

static void add_input(Input input) {
    if (input_count == EVENTS) exit(3);
    int place = input_count++;
    for (; place && inputs[place - 1].at > input.at; place--) inputs[place] = inputs[place - 1];
    inputs[place] = input;
    schedule_inputs();
}

/* ---- running */

static avr_cycle_count_t stop(avr_t *a, avr_cycle_count_t when, void *unused) {
    (void)a; (void)when; (void)unused;
    return 0;
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles) { (void)a; (void)cycles; }

static void run_to(avr_cycle_count_t target, int until_frame) {
    if (target <= avr->cycle) return;
    avr_cycle_timer_register(avr, target - avr->cycle, stop, NULL);
    frame_end = 0;
    while (avr->cycle < target) {
        if (until_frame && frame_end && target > frame_end + HZ / 1000) {
            avr_cycle_timer_cancel(avr, stop, NULL);
            run_to(frame_end + HZ / 1000, 0);
            return;
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) { fprintf(stderr, "the board's program has ended\n"); exit(4); }
    }
}

static void restart(int power_up, unsigned seed) {
    if (power_up) {
        srand(seed);
        for (int i = 0x100; i <= avr->ramend; i++) avr->data[i] = rand();
    }
    avr_reset(avr);
    taken = received;  /* what was on the line is lost; the count that the tests keep goes on */
    for (int i = 0; i < LAMPS; i++) finish(i);
    for (int i = 0; buttons[i]; i += 2) {  /* twice, since simavr drops a level that it believes to be there */
        avr_raise_irq(pin(buttons[i], buttons[i + 1] - '0'), !levels[i / 2]);
        set_input(buttons[i], buttons[i + 1] - '0', levels[i / 2]);
    }
    schedule_inputs();
}

static void command(char *line, int *percent) {
    char port;
    int number, level;
    unsigned long long cycles;
    unsigned long bytes;
    if (!strcmp(line, "plug")) plug();
    else if (!strcmp(line, "unplug")) { unplug(); answer("ok\n"); }
    else if (sscanf(line, "run %llu %lu", &cycles, &bytes) == 2) {
        listen_to_line(bytes);
        run_to(avr->cycle + cycles, 1);
        answer("ran %llu %lu\n", (long long)avr->cycle, sent);
    } else if (sscanf(line, "free %d", percent) == 1) answer("ok\n");
    else if (!strcmp(line, "hold")) { *percent = 0; answer("ran %llu %lu\n", (long long)avr->cycle, sent); }
    else if (sscanf(line, "pin %c %d %d %llu", &port, &number, &level, &cycles) == 4)
        add_input((Input){port, number, level, avr->cycle + cycles});
    else if (!strcmp(line, "reset")) { restart(0, 0); answer("ok\n"); }
    else if (sscanf(line, "power %d", &number) == 1) { restart(1, number); answer("ok\n"); }
    else if (!strcmp(line, "watch")) {
        for (int i = 0; i < LAMPS; i++) {
            if (avr->cycle - lamps[i].fall >= LATCH && !lamps[i].up) finish(i);
            if (lamps[i].up) fprintf(out, "up %d %llu\n", i, (long long)lamps[i].rise);
        }
        fprintf(out, "end %llu %lu %lu\n", (long long)avr->cycle, overruns, crossings);
        fflush(out);
        for (size_t done = 0; done < records_size;) {
            ssize_t size = write(control, records + done, records_size - done);
            if (size <= 0) exit(0);
            done += size;
        }
        rewind(out);
    } else { fprintf(stderr, "no such command: %s\n", line); exit(2); }
}

int main(int count, char **arguments) {
    static char text[65536];
    size_t filled = 0;
    int percent = 0;
    uint32_t size, base;
    if (count != 3) { fprintf(stderr, "boardsim HEX FD\n"); return 2; }
    control = atoi(arguments[2]);
    out = open_memstream(&records, &records_size);
    avr = avr_make_mcu_by_name("atmega328p");
    uint8_t *code = read_ihex_file(arguments[1], &size, &base);
    if (!avr || !code) give_up(arguments[1]);
    avr_init(avr);
    avr->frequency = HZ;
    avr->log = LOG_NONE;
    avr->sleep = no_sleep;
    memcpy(avr->flash + base, code, size);
    avr->pc = base;
    avr->codeend = avr->flashend;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart")) uart = (avr_uart_t *)io;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart->io.irq + UART_IRQ_OUTPUT, transmitted, NULL);
    for (long i = 0; i < LAMPS; i++) avr_irq_register_notify(pin('B', 2 + i), lamp_edge, (void *)i);
    avr_irq_register_notify(pin('B', 1), buzzer_edge, NULL);
    restart(1, 1);

    long long started = 0;
    avr_cycle_count_t from = 0;
    for (;;) {
        int was = percent;
        struct pollfd wait = {control, POLLIN, 0};
        if (poll(&wait, 1, percent ? 0 : -1) > 0) {
            ssize_t more = read(control, text + filled, sizeof text - 1 - filled);
            if (more <= 0) return 0;
            filled += more;
            text[filled] = 0;
            char *line = text, *end;
            for (; (end = strchr(line, '\n')); line = end + 1) { *end = 0; command(line, &percent); }
            filled -= line - text;
            memmove(text, line, filled);
        }
        if (!percent) continue;
        if (percent != was) { started = nanoseconds(); from = avr->cycle; }
        listen_to_line(0);
        run_to(avr->cycle + HZ / 4000, 0);
        long long due = started + (long long)(avr->cycle - from) * 125 / 2 * 100 / percent;
        long long early = due - nanoseconds();
        if (early > 0) {
            struct timespec nap = {early / 1000000000, early % 1000000000};
            struct pollfd both[] = {{control, POLLIN, 0}, {master, POLLIN, 0}};
            ppoll(both, master >= 0 ? 2 : 1, &nap, NULL);
            if (both[1].revents & POLLIN && nanoseconds() < due) listen_to_line(0);
            while ((early = due - nanoseconds()) > 0 && early < 2000000) { nap.tv_sec = 0; nap.tv_nsec = early; nanosleep(&nap, NULL); }
        } else if (early < -100000000) { started = nanoseconds(); from = avr->cycle; }  /* the machine was busy: no catching up */
    }
}
