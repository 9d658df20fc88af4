/**
 * Reads the titles of tests out of their sources, without running them. It promises that strings, templates, patterns and
 * comments are not taken for code, and that a title is found behind tables and conditions (`test.each(…)('…')`). A title
 * that is not written down as text is passed over. Tested in apps/server/test/docs/controls.test.ts.
 */

/** Ids of controls stand at the front of a title, with a blank between them. */
const front = /^(?:C\d{2} )+/
const anywhere = /\bC\d{2}\b/
const chains = new Set(['each', 'for', 'skip', 'skipIf', 'runIf', 'only', 'concurrent', 'sequential', 'fails'])

/** @example idsOf('C10 C15 another tenant sees no row') // ['C10', 'C15'] */
export function idsOf(title) {
  return front.exec(title)?.[0].trim().split(' ') ?? []
}

/** Whether a title names a control where nobody looks for it. */
export function namesElsewhere(title) {
  return anywhere.test(title.replace(front, ''))
}

/**
 * Every test and describe of a source in its order.
 * @returns {{ kind: 'describe' | 'test', title: string, ids: string[], line: number, within: string[] }[]} `within` holds
 *   the titles around it, the outermost first
 */
export function titlesIn(source) {
  const { code, literals } = masked(source)
  const found = []
  for (const { name, at } of callsIn(code)) {
    const call = titledCall(code, at)
    const literal = call === null ? undefined : literals.get(call.argument)
    if (literal !== undefined) found.push({ kind: name, title: literal, start: at, end: call.end })
  }
  return found.map(({ kind, title, start }) => ({
    kind,
    title,
    ids: idsOf(title),
    line: source.slice(0, start).split('\n').length,
    within: found
      .filter((other) => other.kind === 'describe' && other.start < start && start < other.end)
      .map((other) => other.title),
  }))
}

/** Where `test`, `it`, `describe`, or a name given to one of them with its condition, is called. */
function callsIn(code) {
  const kinds = new Map([
    ['describe', 'describe'],
    ['it', 'test'],
    ['test', 'test'],
  ])
  for (const [, alias, of] of code.matchAll(/\bconst (\w+) = (describe|it|test)\.(?:runIf|skipIf)\b/g))
    kinds.set(alias, kinds.get(of))
  const pattern = new RegExp(String.raw`(?<![\w.$])(${[...kinds.keys()].join('|')})((?:\.\w+)*)(?=[(<])`, 'g')
  return [...code.matchAll(pattern)]
    .filter(
      ([, , chain]) =>
        chain === '' ||
        chain
          .slice(1)
          .split('.')
          .every((link) => chains.has(link)),
    )
    .map((match) => ({ name: kinds.get(match[1]), at: match.index + match[0].length }))
}

/** The last of the calls that follow one another, tables and conditions before it: where its first argument begins and it ends. */
function titledCall(code, from) {
  let at = from
  let call = null
  for (;;) {
    if (code[at] === '<') at = closing(code, at)
    if (code[at] !== '(') return call
    const end = closing(code, at)
    if (end === -1) return null
    call = { argument: at + 1 + (/^\s*/.exec(code.slice(at + 1))?.[0].length ?? 0), end }
    at = end
  }
}

const pairs = { '(': ')', '<': '>' }

/** Behind the bracket that closes the one at `from`; -1 without one. */
function closing(code, from) {
  const open = code[from]
  const close = pairs[open]
  let depth = 0
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === open) depth += 1
    // The arrow of a function type closes nothing.
    else if (code[at] === close && !(close === '>' && code[at - 1] === '=')) depth -= 1
    if (depth === 0) return at + 1
  }
  return -1
}

/** The source with everything that is no code blanked out, and the texts that stood there by where they began. */
function masked(source) {
  const literals = new Map()
  let code = ''
  let at = 0
  while (at < source.length) {
    const end = endOfText(source, at, source[at] === '/' ? code.slice(-80) : '')
    if (end === at) {
      code += source[at]
      at += 1
      continue
    }
    if (/['"`]/.test(source[at])) literals.set(at, unescaped(source.slice(at + 1, end - 1)))
    // Something has to stand where a text stood, or a slash behind it would begin a pattern.
    const filling = /^\/[/*]/.test(source.slice(at, at + 2)) ? ' ' : '_'
    code += source.slice(at, end).replaceAll(/[^\n]/g, filling)
    at = end
  }
  return { code, literals }
}

/** Behind the text, comment or pattern that begins at `at`; `at` itself where there is none. */
function endOfText(source, at, before) {
  const rest = (pattern) => {
    pattern.lastIndex = at
    return at + (pattern.exec(source)?.[0].length ?? 0)
  }
  switch (source[at]) {
    case "'":
      return rest(/'(?:[^'\\\n]|\\[\s\S])*'/y)
    case '"':
      return rest(/"(?:[^"\\\n]|\\[\s\S])*"/y)
    case '`':
      return endOfTemplate(source, at)
    case '/':
      if (source[at + 1] === '/') return rest(/[^\n]*/y)
      if (source[at + 1] === '*') return rest(/\/\*[\s\S]*?\*\//y)
      // A slash divides behind a value and begins a pattern everywhere else.
      return /(?:[\w)\]}$])\s*$/.test(before) && !/\b(?:return|typeof|case|in|of)\s*$/.test(before)
        ? at
        : rest(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y)
    default:
      return at
  }
}

function endOfTemplate(source, from) {
  let at = from + 1
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2
    else if (source.startsWith('${', at)) at = endOfPart(source, at + 2)
    else at += 1
  }
  return at + 1
}

/** Behind the brace that ends a part of a template. */
function endOfPart(source, from) {
  let depth = 1
  let at = from
  while (at < source.length && depth > 0) {
    const end = endOfText(source, at, source.slice(Math.max(from, at - 20), at))
    if (end > at) {
      at = end
      continue
    }
    if (source[at] === '{') depth += 1
    if (source[at] === '}') depth -= 1
    at += 1
  }
  return at
}

function unescaped(text) {
  return text.replaceAll(/\\(.)/g, '$1')
}
