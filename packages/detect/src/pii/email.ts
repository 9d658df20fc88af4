import { isAlphanumeric, type Matcher } from '../matcher.ts'

// RFC 5321 section 4.5.3.1: 64 octets before the @, 255 after it.
const maxLocal = 64
const domain = /[A-Za-z0-9][A-Za-z0-9.-]{0,254}/y

/** ASCII e-mail addresses with a public-looking domain (at least one dot, alphabetic top level). */
export const email: Matcher = {
  types: ['EMAIL'],
  collect: (text, from, found) => {
    for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
      const start = localStart(text, at)
      const end = start < at ? domainEnd(text, at + 1) : 0
      if (end > 0) found.push({ detector: 'pii', type: 'EMAIL', start, end, score: score(text, start, end) })
    }
  },
}

function localStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start <= maxLocal && isLocal(text.charCodeAt(start - 1))) start -= 1
  if (at - start > maxLocal) return at
  while (start < at && !isAlphanumeric(text.charCodeAt(start)) && text[start] !== '_') start += 1
  return text[at - 1] === '.' ? at : start
}

const isLocal = (code: number): boolean =>
  isAlphanumeric(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45

/** End of the longest domain whose last label is two or more letters; 0 when there is none. */
function domainEnd(text: string, from: number): number {
  domain.lastIndex = from
  const run = domain.exec(text)?.[0]
  if (run === undefined) return 0
  let end = 0
  let length = 0
  const labels = run.split('.')
  for (const [index, label] of labels.entries()) {
    if (label === '' || label.length > 63 || label.startsWith('-')) break
    length += label.length + (index > 0 ? 1 : 0)
    const letters = /^[A-Za-z]{2,24}|^xn--[A-Za-z0-9-]{2,59}/.exec(label)?.[0]
    if (index > 0 && letters === label) end = from + length
    if (label.endsWith('-')) break
  }
  return end
}

// `icon@2x.png` and package pins such as `name@latest.zip` look like addresses.
const fileName = /\.(?:png|jpe?g|gif|svg|webp|css|js|ts|json|zip|gz|html?|md|txt|lock)$/i

const score = (text: string, start: number, end: number): number => (fileName.test(text.slice(start, end)) ? 0.3 : 0.98)
