import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commonShare, looksLikeLanguage, strangeness } from './language/language.ts'
import { textViews, type View } from './views.ts'

const sentence = 'Please water the tall plants in the kitchen every morning before you go to work'
const plain = sentence.toLowerCase()

const viewsOf = (text: string): readonly View[] => textViews(text).views

/** Kinds and chains of the views that hold the sentence. */
const reached = (text: string, wanted = plain): string[] =>
  viewsOf(text)
    .filter((view) => view.text.includes(wanted))
    .map((view) => [view.kind, ...view.via].join(' '))

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const caesar = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (char) => {
    const first = char >= 'a' ? 97 : 65
    return String.fromCharCode(((char.charCodeAt(0) - first + by) % 26) + first)
  })
const reversed = (text: string): string => [...text].reverse().join('')

describe('markup', () => {
  test.each([
    ['a comment', `<p>Hello</p><!-- ${sentence} -->`, 'hidden html-comment'],
    ['an open comment', `<p>Hello</p><!-- ${sentence}`, 'hidden html-comment'],
    ['an invisible element', `<p>Hi</p><div style="display: none">${sentence}</div>`, 'hidden invisible-element'],
    ['white letters', `<p>Hi</p><span style="color:#FFFFFF">${sentence}</span>`, 'hidden invisible-element'],
    ['tiny letters', `<p>Hi</p><span style='font-size:0px'>${sentence}</span>`, 'hidden invisible-element'],
    ['an alternative text', `<img src="x.png" alt="${sentence}">`, 'hidden attribute'],
    ['an aria label', `<a href="#" aria-label="${sentence}">x</a>`, 'hidden attribute'],
    ['a meta tag', `<meta name="d" content="${sentence}"><p>x</p>`, 'hidden attribute'],
    ['an image text', `See ![${sentence}](x.png) now`, 'hidden attribute'],
    ['a link title', `See [this](http://x.example "${sentence}") now`, 'hidden link-title'],
    ['a Markdown comment', `# Title\n\n[//]: # (${sentence})\n\nText`, 'hidden markdown-comment'],
    ['front matter', `---\ntitle: ${sentence}\n---\n\nText`, 'hidden front-matter'],
  ])('%s is a hidden view', (_, text, expected) => {
    expect(reached(text)).toContain(expected)
    const visible = viewsOf(text).find((view) => view.kind === 'visible')
    if (visible && !text.includes('![') && !text.includes('"http')) expect(expected).toContain('hidden')
  })

  test('the visible view joins what tags part and leaves hidden text out', () => {
    const views = viewsOf('<p>wa<b></b>ter the <i>plants</i></p><!-- secret --><p>now</p>')
    const visible = views.find((view) => view.kind === 'visible')
    expect(visible?.text).toContain('water the plants')
    expect(visible?.text).not.toContain('secret')
  })
})

describe('parts', () => {
  test.each([
    ['"wa" + "ter the pl" + "ants"', 'water the plants'],
    ['a = "wa"; b = "ter the pl"; c = "ants"; print(a + b + c)', 'water the plants'],
    ['x = "plants"; y = "water the "; run(y + x)', 'water the plants'],
    ["p0 = 'water'; p1 = 'the'; p2 = 'plants'; p3 = 'now'; do p0 + p1 + p2 + p3", 'water the plants now'],
    ['wa-ter the plan-ts in the kit-chen and re-mem-ber', 'water the plants in the kitchen and remember'],
    ['water_the_plants_now', 'water the plants now'],
    ['["wat", "er the pl", "ants"].join("")', 'water the plants'],
    ['["wat", "er the pl", "ants in", " the ho", "use"]', 'water the plants in the house'],
    ['"say \\"wa" + "ter\\" to the" + " pla" + "nts\\nnow"', 'say "water" to the plants\nnow'],
  ])('%s is joined', (text, wanted) => {
    expect(reached(text, wanted)).toContain('joined joined')
  })
})

test('a list of words stays a list', () => {
  const list = '["water", "the plants", "in", "our house", "and garden"]'
  expect(viewsOf(list).filter(({ kind }) => kind === 'joined')).toEqual([])
})

describe('limits', () => {
  test('an encoding too deep is reported, not followed', () => {
    let text = sentence
    for (let depth = 0; depth < 5; depth += 1) text = base64(text)
    const { overflow, truncated } = textViews(text)
    expect(overflow).toBe(true)
    expect(truncated).toBe(true)
    expect(reached(text)).toEqual([])
  })

  test('more encoded runs than allowed are reported', () => {
    const text = `${base64('water the plants now')} `.repeat(80)
    const { views, overflow } = textViews(text)
    expect(overflow).toBe(true)
    expect(views.filter((view) => view.kind === 'decoded').length).toBeLessThanOrEqual(64)
  })

  test('decoded characters stay within twice the input and a kilobyte', () => {
    const text = Array.from({ length: 40 }, (_, k) => caesar(sentence, 1 + (k % 25))).join('\n')
    expect(textViews(text).decodedChars).toBeLessThanOrEqual(text.length * 2 + 1024)
  })

  test.each([
    'a',
    'a ',
    '41',
    '%41',
    '&#65;',
    '\\x41',
    '<',
    '<a="',
    '<!--',
    '[a](',
    '"a"+',
    "a='",
    '1a',
    'a-',
    'a\u200b',
    '\ud800',
    '\u0000',
    '.- ',
    'U+0041 ',
    '\u202ea',
  ])('a megabyte of %j is taken', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    for (const view of viewsOf(text)) {
      expect(view.toOriginal(0, view.text.length).end).toBeLessThanOrEqual(text.length)
    }
  })
})

describe('for every text', () => {
  const part = fc.constantFrom(
    ...[
      sentence,
      base64(sentence),
      hex('water the plants'),
      caesar(sentence, 13),
      reversed(sentence),
      '%77%61ter%20it',
    ],
    ...[
      '<b>',
      '</b>',
      '<!-- note -->',
      '<img alt="some words">',
      '[//]: # (words)',
      '![words](u)',
      '\n',
      ' ',
      '"ab" + "cd"',
    ],
    ...[
      'w4t3r',
      'wa-ter',
      '\u200b',
      '\ud800',
      '\u202e',
      '&#119;&#97;&#116;',
      '\\u0077\\u0061\\u0074',
      'é',
      'о',
      'i g n o r e',
    ],
  )
  const anyText = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))

  test('ranges of every view lie inside the text and keep their order', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 80 })), (text) => {
        for (const view of viewsOf(text)) {
          let last = 0
          for (let i = 0; i < view.text.length; i += 1) {
            const { start, end } = view.toOriginal(i, i + 1)
            expect(start).toBeGreaterThanOrEqual(view.kind === 'joined' ? 0 : last)
            expect(end).toBeGreaterThanOrEqual(start)
            expect(end).toBeLessThanOrEqual(text.length)
            last = start
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  test('the range of a decoded sentence is where it stood encoded', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,40}$/), (before) => {
        const encoded = base64(sentence)
        const text = `${before}\n${encoded} and more`
        const view = viewsOf(text).find((one) => one.text.includes(plain) && one.kind === 'decoded')
        const at = view?.text.indexOf(plain) ?? -1
        const range = view?.toOriginal(at, at + plain.length)
        expect(text.slice(range?.start, range?.end)).toBe(encoded)
      }),
    )
  })
})

test('language is told from letter pairs', () => {
  expect(strangeness(plain)).toBeLessThan(8)
  expect(strangeness(caesar(plain, 13))).toBeGreaterThan(9)
  expect(looksLikeLanguage(sentence)).toBe(true)
  expect(looksLikeLanguage('\u0001\u0002\u0003\u0004 \u0005\u0006')).toBe(false)
  expect(commonShare('read the whole page')).toBeGreaterThan(0.5)
})
