// nlohmann/json writes control characters with snprintf (`%.4X`, `%04x`), and Embind an address with sprintf (`%p`);
// nothing else is printed with either. The C library's own would bring all of printf into every page; these know
// hexadecimal digits alone, and stop at anything else.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

int print(char* text, size_t size, const char* format, std::va_list values) {
    size_t length = 0;
    for (; *format != '\0'; ++format) {
        if (*format != '%') {
            if (length + 1 < size) text[length] = *format;
            ++length;
            continue;
        }
        int width = 0;
        for (++format; *format == '.' || (*format >= '0' && *format <= '9'); ++format)
            if (*format != '.') width = width * 10 + (*format - '0');
        if (*format == 'p') width = 2 * sizeof(void*);
        if ((*format != 'x' && *format != 'X' && *format != 'p') || width == 0) std::abort();
        const std::uint32_t value = va_arg(values, std::uint32_t);  // an address has 32 bits here, too
        for (int digit = width - 1; digit >= 0; --digit, ++length)
            if (length + 1 < size)
                text[length] = (*format == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[value >> (4 * digit) & 15];
    }
    if (size > 0) text[length < size ? length : size - 1] = '\0';
    return static_cast<int>(length);
}

}  // namespace

extern "C" int snprintf(char* text, size_t size, const char* format, ...) {
    std::va_list values;
    va_start(values, format);
    const int length = print(text, size, format, values);
    va_end(values);
    return length;
}

// What clang calls in place of sprintf where no argument is a fraction.
extern "C" int siprintf(char* text, const char* format, ...) {
    std::va_list values;
    va_start(values, format);
    const int length = print(text, SIZE_MAX, format, values);
    va_end(values);
    return length;
}
