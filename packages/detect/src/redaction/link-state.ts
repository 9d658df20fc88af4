/**
 * Follows a text character by character and tells whether the next one stands in the target of a link or of a resource,
 * where a reader's client would send it away. Promises that the answer depends on the text before alone and never on how
 * it was cut, in constant memory. Where renderers differ, the one that takes more for a target decides. Tested in
 * link-state.test.ts.
 */
import { isDigit } from '../base/matcher.ts'
import { createJsonUnits } from './json-units.ts'

export interface LinkState {
  /** Reads on. */
  feed(text: string): void
  /** Whether what comes next would be part of a target. */
  inTarget(): boolean
}

/** Elements that fetch or lead somewhere. */
const elements: ReadonlySet<string> = new Set(
  'a area form button img image iframe frame script link video audio source track embed object input body table td use base meta svg feimage'.split(
    ' ',
  ),
)
/** Attributes that are read to a person and sent nowhere. */
const shownAttributes: ReadonlySet<string> = new Set(['alt', 'title', 'label', 'summary', 'aria-label'])

type Mode = 'text' | 'bare' | 'markdown' | 'definition' | 'style' | 'tag' | 'value'

const unit = { tab: 9, newline: 10, blank: 32, quote: 34, apostrophe: 39, opening: 40, closing: 41, less: 60, more: 62 }
const longestWord = 24

/** Begins outside of any link. `json` text is read as the strings it stands for; each string is a text of its own. */
export function createLinkState(json = false): LinkState {
  const reader = new LinkReader()
  const plain = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) reader.read(text.charCodeAt(at))
  }
  if (!json) return { feed: plain, inTarget: () => reader.inTarget() }
  const units = createJsonUnits({ unit: (code) => reader.read(code), boundary: () => reader.reset() })
  return { feed: (text) => units.feed(text), inTarget: () => reader.inTarget() }
}

class LinkReader {
  #mode: Mode = 'text'
  /** The characters before, as far as an opening looks back. */
  #last = 0
  #beforeLast = 0
  #lineStart = true
  /** In a line that begins like the definition of a link. */
  #defines = false
  /** Letters since the last dot of a run of host characters; -1 without one. */
  #sinceDot = -1
  /** Behind the colon of such a run. */
  #inPort = false
  #isElement = false
  #word = ''
  #depth = 0
  #isEscaped = false
  #isAngled = false
  #hasBegun = false
  #quote = 0
  #attribute = ''

  inTarget(): boolean {
    if (this.#mode === 'value') return !shownAttributes.has(this.#attribute)
    return this.#mode !== 'text' && this.#mode !== 'tag'
  }

  reset(): void {
    this.#enter('text')
    this.#last = 0
    this.#beforeLast = 0
    this.#lineStart = true
    this.#defines = false
    this.#sinceDot = -1
    this.#word = ''
    this.#isElement = false
  }

  read(code: number): void {
    switch (this.#mode) {
      case 'text':
        this.#readText(code)
        break
      case 'bare':
        this.#readBare(code)
        break
      case 'markdown':
      case 'style':
        this.#readParenthesized(code)
        break
      case 'definition':
        this.#readDefinition(code)
        break
      case 'tag':
        this.#readTag(code)
        break
      default:
        this.#readValue(code)
    }
    this.#beforeLast = this.#last
    this.#last = code
  }

  #enter(mode: Mode): void {
    this.#mode = mode
    this.#depth = 0
    this.#isEscaped = false
    this.#isAngled = false
    this.#hasBegun = false
    this.#quote = 0
  }

  #readText(code: number): void {
    if (this.#opens(code)) return
    this.#followLine(code)
    this.#followHost(code)
    this.#followWord(code)
  }

  /** Targets that begin with this character. */
  #opens(code: number): boolean {
    if (code === unit.opening && this.#last === 93) return this.#begin('markdown')
    if (code === unit.opening && this.#word.endsWith('url')) return this.#begin('style')
    if (code === 47 && this.#last === 47 && this.#beforeLast === 58) return this.#begin('bare')
    if (code === 58 && this.#last === 93 && this.#defines) return this.#begin('definition')
    if (code === 46 && this.#word.endsWith('www')) return this.#begin('bare')
    const goesOn = code === 47 || code === 63 || code === 35
    if (goesOn && this.#sinceDot >= 2) return this.#begin('bare')
    if (this.#isElement && (isBlank(code) || code === 47) && elements.has(this.#word)) return this.#begin('tag')
    return false
  }

  #begin(mode: Mode): true {
    this.#enter(mode)
    this.#sinceDot = -1
    this.#isElement = false
    this.#word = ''
    this.#attribute = ''
    this.#lineStart = false
    this.#defines = false
    return true
  }

  #followLine(code: number): void {
    if (code === unit.newline || code === 13) {
      this.#lineStart = true
      this.#defines = false
    } else if (this.#lineStart && code === 91) {
      this.#defines = true
      this.#lineStart = false
    } else if (this.#defines && code === 94 && this.#last === 91) this.#defines = false
    else if (!isBlank(code) && code !== unit.more) this.#lineStart = false
  }

  #followHost(code: number): void {
    if (code === 46) this.#sinceDot = isWordUnit(this.#last) ? 0 : -1
    else if (isLetter(code)) this.#sinceDot = this.#inPort ? -1 : this.#sinceDot + (this.#sinceDot >= 0 ? 1 : 0)
    else if (code === 58 && this.#sinceDot >= 2) this.#inPort = true
    else if (!(code === 45 && this.#sinceDot > 0) && !(this.#inPort && isDigit(code))) this.#sinceDot = -1
    if (this.#sinceDot < 0 || isLetter(code)) this.#inPort = false
  }

  #followWord(code: number): void {
    if (code === unit.less) {
      this.#isElement = true
      this.#word = ''
    } else if (isWordUnit(code) && code < 128) {
      this.#word = `${this.#word}${String.fromCharCode(code | (code > 64 ? 32 : 0))}`.slice(-longestWord)
    } else {
      this.#word = ''
      this.#isElement = false
    }
  }

  /** GitHub's rule ends an address at a blank or `<` and at nothing else. */
  #readBare(code: number): void {
    if (code === unit.opening && this.#last === 93) this.#enter('markdown')
    else if (isBlank(code) || code === unit.less) this.#leave(code)
  }

  #leave(code: number): void {
    this.#enter('text')
    this.#readText(code)
  }

  /** To the parenthesis that closes it; some renderers allow blanks inside, none an empty line. */
  #readParenthesized(code: number): void {
    if (this.#isEscaped) {
      this.#isEscaped = false
      return
    }
    if (code === unit.newline && this.#last === unit.newline) this.#leave(code)
    else if (code === 92) this.#isEscaped = true
    else if (this.#isAngled) this.#isAngled = code !== unit.more && code !== unit.newline
    else if (code === unit.less && !this.#hasBegun) this.#isAngled = true
    else if (code === unit.opening) this.#depth += 1
    else if (code === unit.closing) {
      if (this.#depth === 0) this.#enter('text')
      else this.#depth -= 1
    }
    this.#hasBegun ||= !isBlank(code)
  }

  #readDefinition(code: number): void {
    if (!this.#hasBegun) {
      if (code === unit.newline && this.#last === unit.newline) this.#leave(code)
      else if (!isBlank(code)) {
        this.#hasBegun = true
        this.#isAngled = code === unit.less
      }
      return
    }
    const ends = this.#isAngled ? code === unit.more || code === unit.newline : isBlank(code)
    if (ends) this.#leave(code)
  }

  #readTag(code: number): void {
    if (code === unit.more) this.#enter('text')
    else if (code === 61) this.#enter('value')
    else if (isWordUnit(code) || code === 45 || code === 58) {
      const goesOn = isWordUnit(this.#last) || this.#last === 45 || this.#last === 58
      const char = String.fromCharCode(code).toLowerCase()
      this.#attribute = `${goesOn ? this.#attribute : ''}${char}`.slice(-longestWord)
    }
  }

  #readValue(code: number): void {
    if (!this.#hasBegun) {
      if (isBlank(code)) return
      this.#hasBegun = true
      if (code === unit.quote || code === unit.apostrophe) this.#quote = code
      else if (code === unit.more) this.#enter('text')
      return
    }
    if (this.#quote > 0 ? code === this.#quote : isBlank(code)) {
      this.#enter('tag')
      this.#attribute = ''
    } else if (this.#quote === 0 && code === unit.more) this.#enter('text')
  }
}

const isBlank = (code: number): boolean => code === unit.blank || (code >= unit.tab && code <= 13)

/** Letters of all scripts: a host may be written in any. */
const isLetter = (code: number): boolean => (code | 32) >= 97 && ((code | 32) <= 122 || code > 127)

const isWordUnit = (code: number): boolean => isDigit(code) || isLetter(code)
