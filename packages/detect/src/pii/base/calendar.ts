/** Plausible dates inside identifiers. Tested in national/national.test.ts. */

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether day and month exist; the year is not asked, so 29 February always does. */
export const dayExists = (month: number, day: number): boolean => day >= 1 && day <= (monthDays[month - 1] ?? 0)

/** A number read from part of a compact identifier. */
export const numberAt = (text: string, start: number, length: number): number =>
  Number(text.slice(start, start + length))

/** `YYMMDD` at a position. */
export const yymmddAt = (text: string, start = 0): boolean =>
  dayExists(numberAt(text, start + 2, 2), numberAt(text, start + 4, 2))

/** `DDMMYY` at a position. */
export const ddmmyyAt = (text: string, start = 0): boolean =>
  dayExists(numberAt(text, start + 2, 2), numberAt(text, start, 2))

/** `YYYYMMDD` at a position, for people: 1850 to 2099. */
export function yyyymmddAt(text: string, start = 0): boolean {
  const year = numberAt(text, start, 4)
  return year >= 1850 && year <= 2099 && yymmddAt(text, start + 2)
}
