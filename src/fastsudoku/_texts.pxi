"""Boards in text, many at a time, a part of ``_engine_c.pyx``; ``_texts_py`` says what each function does."""


cdef inline Py_ssize_t after_line_end(
    const uint8_t* text, Py_ssize_t end, Py_ssize_t size
) noexcept nogil:
    """Return where the next line begins, for the end of one: it may be CR, LF, both, or that of the text."""
    if end == size:
        return end
    return end + (2 if text[end] == c"\r" and end + 1 < size and text[end + 1] == c"\n" else 1)


cdef inline bint has_line_end(const uint8_t* characters) noexcept nogil:
    """Tell whether there is a line end among 81 characters."""
    return memchr(characters, c"\n", 81) or memchr(characters, c"\r", 81)


cdef Py_ssize_t count_line_ends(const uint8_t* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t count = 0
    while start < end:
        if is_line_end(text[start]):
            start = after_line_end(text, start, end)
            count += 1
        else:
            start += 1
    return count


cdef Py_ssize_t count_quotes(const uint8_t* text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    cdef Py_ssize_t position, count = 0
    for position in range(start, end):
        count += text[position] == c'"'
    return count


cdef inline bint ends_field(uint8_t character, uint8_t delimiter) noexcept nogil:
    return character == delimiter or is_line_end(character)


cdef Py_ssize_t field_end(
    const uint8_t* text, Py_ssize_t start, Py_ssize_t size, uint8_t delimiter, bint is_end
) noexcept nogil:
    """Return where a field of a table ends, or -1 if it begins with a quotation mark and may go on."""
    cdef Py_ssize_t position = start + 1, most = min(size, start + LONGEST_FIELD)
    if start < size and text[start] == c'"':
        while position < most:
            if text[position] == c'"':
                position += 1
                if position >= most or text[position] != c'"':
                    start = position
                    break
            position += 1
        else:
            # One that is not closed is a character like others.
            if size - start < LONGEST_FIELD and not is_end:
                return -1
    while start < size and not ends_field(text[start], delimiter):
        start += 1
    return start


cdef struct Words:
    # What the statuses are called: no solution, unique, several, not a board.
    const char* characters[4]
    Py_ssize_t sizes[4]


cdef Py_ssize_t labels_of(tuple words, Words* labels) except -1:
    """Set the words, and return the length of the longest."""
    cdef int status
    cdef Py_ssize_t longest = 0
    if len(words) != 4:
        raise ValueError("there are four statuses")
    for status in range(4):
        word = <bytes?>words[status]
        labels.characters[status] = word
        labels.sizes[status] = len(<bytes>word)
        longest = max(longest, labels.sizes[status])
    return longest


cdef inline uint8_t* copy(uint8_t* out, const void* characters, Py_ssize_t size) noexcept nogil:
    memcpy(out, characters, size)
    return out + size


cdef inline uint8_t* write_word(uint8_t* out, const Words* labels, uint8_t status) noexcept nogil:
    cdef int word = min(status, 3)
    return copy(out, labels.characters[word], labels.sizes[word])


cdef inline uint8_t* write_digits(uint8_t* out, const uint8_t* solution) noexcept nogil:
    cdef int cell
    for cell in range(81):
        out[cell] = solution[cell] + c"0"
    return out + 81


cdef uint8_t* write_number(uint8_t* out, uint32_t number) noexcept nogil:
    cdef uint8_t[10] digits
    cdef int count = 0
    while True:
        digits[count] = c"0" + number % 10
        number //= 10
        count += 1
        if not number:
            break
    while count:
        count -= 1
        out[0] = digits[count]
        out += 1
    return out


cdef inline uint8_t* write_value(
    uint8_t* out, int value, const uint8_t* solution, uint8_t status, uint32_t guesses, const Words* labels
) noexcept nogil:
    """Write one of the values of an answer: 0 the solution, 1 the status, 2 the guesses."""
    if value == 1:
        return write_word(out, labels, status)
    if value == 2:
        return out if guesses == GUESSES_UNKNOWN else write_number(out, guesses)
    return write_digits(out, solution) if UNIQUE <= status <= SEVERAL else out


cdef inline void* resized(void* memory, size_t size) noexcept nogil:
    """Return more memory with the same contents; NULL, and none of it is left, if there is no more."""
    cdef void* more = realloc(memory, size)
    if not more:
        free(memory)
    return more


cdef bytearray new_buffer(Py_ssize_t size):
    # (Where there is no memory, PyByteArray_FromStringAndSize leaves an object half made.)
    buffer = bytearray()
    PyByteArray_Resize(buffer, size)
    use_large_pages(PyByteArray_AsString(buffer), size)
    return buffer


cdef class Texts:
    """Reads and writes texts; what all engines have."""

    def read_texts(self, texts):
        cdef Py_ssize_t size = 0, row = 0, rows = len(texts), end
        cdef const uint8_t* characters
        cdef uint8_t[::1] cells
        values = new_buffer(81 * rows)
        others = []
        if not rows:
            return values, others
        cells = values
        for text in texts:
            if row == rows:
                break
            characters = characters_of(text, &size)
            end = 81
            while characters and end < size and is_space(characters[end]):
                end += 1
            if not characters or size < 81 or end < size or not are_cells(characters, &cells[81 * row]):
                others.append(row)
            row += 1
        # There may be less than before, if other code changed a list meanwhile: all are to be read again.
        return values, others if row == rows else list(range(rows))

    def read_text_lines(self, const uint8_t[::1] text, Py_ssize_t start, bint only_boards=False):
        cdef Py_ssize_t size = text.shape[0], rows = 0, most = 16, lines = 0, position = start, end
        cdef uint8_t* cells = <uint8_t*>malloc(81 * most)
        cdef bint is_board
        try:
            with nogil:
                while cells and position < size:
                    end = position
                    is_board = False
                    if only_boards and (is_space(text[position]) or text[position] == c"#"):
                        break
                    if is_space(text[position]):
                        while end < size and is_space(text[end]) and not is_line_end(text[end]):
                            end += 1
                        if end < size and not is_line_end(text[end]):
                            break
                    elif text[position] != c"#":
                        end += 81
                        if end > size or (end < size and not ENDS_BOARD[text[end]]):
                            break
                        if end < size and not is_line_end(text[end]):
                            # Dashes with something behind them may be a rule.
                            if memchr(&text[position], c"-", 81):
                                break
                        if rows == most:
                            most *= 2
                            cells = <uint8_t*>resized(cells, 81 * most)
                            if not cells:
                                break
                        # Which has no line end among the cells, either.
                        if not are_cells(&text[position], &cells[81 * rows]):
                            break
                        is_board = True
                    while end < size and not is_line_end(text[end]):
                        end += 1
                    if end - position > LONGEST_LINE:
                        break
                    rows += is_board
                    start = position = after_line_end(&text[0], end, size)
                    lines += 1
            if not cells:
                raise MemoryError
            return PyBytes_FromStringAndSize(<const char*>cells, 81 * rows), lines, start
        finally:
            free(cells)

    def write_texts(self, const uint8_t[::1] solutions, const uint8_t[::1] status):
        cdef Py_ssize_t row
        cdef char[81] characters
        check_range(0, status.shape[0], solutions.shape[0], status.shape[0])
        texts = []
        for row in range(status.shape[0]):
            if UNIQUE <= status[row] <= SEVERAL:
                write_digits(<uint8_t*>characters, &solutions[81 * row])
                texts.append(PyUnicode_DecodeASCII(characters, 81, NULL))
            else:
                texts.append(None)
        return texts

    def write_text_lines(self, const uint8_t[::1] solutions, const uint8_t[::1] status):
        cdef Py_ssize_t row, size = 0
        cdef uint8_t* characters
        check_range(0, status.shape[0], solutions.shape[0], status.shape[0])
        status = bytes(status)  # which nobody else can change meanwhile
        for row in range(status.shape[0]):
            size += 82 if UNIQUE <= status[row] <= SEVERAL else 1
        lines = PyBytes_FromStringAndSize(NULL, size)
        characters = <uint8_t*><char*>lines
        with nogil:
            for row in range(status.shape[0]):
                if UNIQUE <= status[row] <= SEVERAL:
                    characters = write_digits(characters, &solutions[81 * row])
                characters[0] = c"\n"
                characters += 1
        return lines

    def write_answer_lines(
        self, bytes text not None, const uint8_t[::1] solutions, const uint8_t[::1] status, tuple words=None
    ):
        cdef const uint8_t* characters = <const uint8_t*><const char*>text
        cdef Py_ssize_t size = len(text), rows = status.shape[0], position = 0, end, last, row, longest = 0
        cdef uint8_t* out
        cdef Words labels
        check_range(0, rows, solutions.shape[0], rows)
        if words is not None:
            longest = 1 + labels_of(words, &labels)
        lines = PyByteArray_FromStringAndSize(NULL, size + rows * (longest + 1))
        out = <uint8_t*>PyByteArray_AsString(lines)
        with nogil:
            for row in range(rows):
                end = position + 81
                if end > size or has_line_end(&characters[position]):
                    break
                while end < size and not is_line_end(characters[end]):
                    end += 1
                if UNIQUE <= status[row] <= SEVERAL:
                    out = write_digits(out, &solutions[81 * row])
                    last = end
                    while last > position + 81 and is_space(characters[last - 1]):
                        last -= 1
                    out = copy(out, &characters[position + 81], last - position - 81)
                if longest:
                    out[0] = c"\t"
                    out = write_word(out + 1, &labels, status[row])
                out[0] = c"\n"
                out += 1
                position = after_line_end(characters, end, size)
            else:
                row = rows
        if row < rows:
            raise ValueError("the text has fewer lines than there are boards")
        PyByteArray_Resize(lines, out - <uint8_t*>PyByteArray_AsString(lines))
        return lines

    def read_table(
        self,
        bytes text not None,
        Py_ssize_t start,
        bint is_end,
        str delimiter not None,
        Py_ssize_t columns,
        Py_ssize_t column,
    ):
        cdef const uint8_t* characters = <const uint8_t*><const char*>text
        cdef Py_ssize_t size = len(text), position = max(start, 0), end, fields, first, last
        cdef Py_ssize_t rows = 0, most = 16, lines = 0, line_ends, begin
        cdef uint8_t separator = ord(delimiter)
        cdef uint8_t* cells = <uint8_t*>malloc(81 * most)
        cdef int64_t* spans = <int64_t*>malloc(sizeof(int64_t) * 3 * most)
        cdef bint is_board, is_closed
        cdef int quote
        others = []
        try:
            with nogil:
                while cells and spans and position < size:
                    end = position
                    fields = line_ends = 0
                    is_closed = True
                    first = last = -1
                    is_board = False
                    while True:
                        begin = end
                        if fields == column:
                            first = end
                            # A board that is all of its field needs no search for its end.
                            quote = characters[end] == c'"' if end < size else 0
                            last = end + 81 + 2 * quote
                            is_board = (
                                last <= size
                                and (last == size or ends_field(characters[last], separator))
                                and (not quote or characters[last - 1] == c'"')
                                and are_cells(&characters[end + quote], &cells[81 * rows])
                            )
                            if not is_board:
                                last = field_end(characters, end, size, separator, is_end)
                            end = last
                        else:
                            end = field_end(characters, end, size, separator, is_end)
                        fields += 1
                        if begin < size and characters[begin] == c'"':
                            # There may be line ends in quotation marks.
                            line_ends += count_line_ends(characters, begin, end)
                            is_closed &= count_quotes(characters, begin, end) % 2 == 0
                        if end < 0 or end == size or characters[end] != separator:
                            break
                        end += 1
                    if not is_end and (
                        end < 0 or end == size or (end + 1 == size and characters[end] == c"\r")
                    ):
                        break  # there is more to come of this record, or of its line end
                    if end > position:
                        if not is_board or fields > columns or not is_closed:
                            memset(&cells[81 * rows], NOT_A_BOARD, 81)
                            with gil:
                                others.append((rows, first, last, fields if is_closed else 0))
                        spans[3 * rows] = position
                        spans[3 * rows + 1] = end
                        spans[3 * rows + 2] = lines
                        rows += 1
                        if rows == most:
                            most *= 2
                            cells = <uint8_t*>resized(cells, 81 * most)
                            spans = <int64_t*>resized(spans, sizeof(int64_t) * 3 * most)
                    position = after_line_end(characters, end, size)
                    lines += line_ends + 1
            if not cells or not spans:
                raise MemoryError
            return (
                PyBytes_FromStringAndSize(<const char*>cells, 81 * rows),
                PyBytes_FromStringAndSize(<const char*>spans, sizeof(int64_t) * 3 * rows),
                others,
                position,
                lines,
            )
        finally:
            free(cells)
            free(spans)

    def write_table(
        self,
        bytes text not None,
        const int64_t[::1] spans,
        str delimiter not None,
        Py_ssize_t columns,
        tuple targets not None,
        const uint8_t[::1] solutions,
        const uint8_t[::1] status,
        const uint32_t[::1] guesses,
        tuple words not None,
    ):
        cdef const uint8_t* characters = <const uint8_t*><const char*>text
        cdef Py_ssize_t size = len(text), rows = status.shape[0], row, start, end, last, field, bound = 0
        cdef uint8_t separator = ord(delimiter)
        cdef Py_ssize_t[3] target
        cdef uint8_t* out
        cdef int value
        cdef Words labels
        # What is filled in, delimiters, and a line end.
        cdef Py_ssize_t most = 81 + labels_of(words, &labels) + 10 + 3 + columns + 2
        target[0], target[1], target[2] = targets
        check_range(0, rows, solutions.shape[0], min(rows, guesses.shape[0]))
        if columns < 1:
            raise ValueError("a table has columns")
        if spans.shape[0] < 3 * rows:
            raise ValueError("there are fewer records than boards")
        for row in range(rows):
            if not 0 <= spans[3 * row] <= spans[3 * row + 1] <= size:
                raise ValueError("a record is not in the text")
            bound += spans[3 * row + 1] - spans[3 * row] + most
        lines = PyByteArray_FromStringAndSize(NULL, bound)
        out = <uint8_t*>PyByteArray_AsString(lines)
        with nogil:
            for row in range(rows):
                start = spans[3 * row]
                last = spans[3 * row + 1]
                field = 0
                while field < columns or start <= last:
                    if field:
                        out[0] = separator
                        out += 1
                    end = field_end(characters, start, last, separator, True) if start <= last else start
                    for value in range(3):
                        if field == target[value]:
                            out = write_value(
                                out, value, &solutions[81 * row], status[row], guesses[row], &labels
                            )
                            break
                    else:
                        out = copy(out, &characters[start], end - start)
                    start = end + 1
                    field += 1
                for value in range(3):
                    if target[value] < 0:
                        out[0] = separator
                        out = write_value(
                            out + 1, value, &solutions[81 * row], status[row], guesses[row], &labels
                        )
                end = after_line_end(characters, last, size)
                if end == last:
                    out[0] = c"\n"
                    out += 1
                else:
                    out = copy(out, &characters[last], end - last)
        PyByteArray_Resize(lines, out - <uint8_t*>PyByteArray_AsString(lines))
        return lines
