/** Signs in the engine's message or the pattern's text, and the explanation for its author. First hit counts. */
const refusals: readonly (readonly [sign: RegExp, sentence: string])[] = [
  [/`\(\?[=!]/, 'It looks ahead with (?= or (?!, which cannot be done in one pass over the text.'],
  [/`\(\?<[=!]/, 'It looks behind with (?<= or (?<!, which cannot be done in one pass over the text.'],
  [/escape sequence: `\\(?:[1-9]|k)/, 'It has a back-reference (\\1 or \\k<name>), which cannot be done in one pass.'],
  [/`\(\?>/, 'It has an atomic group (?>…); a plain group (?:…) does the same here.'],
  [/nested repetition|`\+\+|`\*\+/, 'It repeats a repeat, as in a** or a++; put the inner one in a group.'],
  [/repeat count/, 'A repeat counts backwards or goes over 1,000, alone or together with the repeats around it.'],
  [/missing argument to repetition/, 'A *, +, ? or { stands where there is nothing to repeat.'],
  [/missing closing \]/, 'A [ is never closed.'],
  [/missing closing \)/, 'A ( is never closed.'],
  [/unexpected \)/, 'A ) has no ( before it.'],
  [/trailing backslash/, 'It ends in a lone backslash.'],
  [/duplicate/, 'Two groups have the same name.'],
  [/named capture/, 'The name of a group is not a plain word, or its > is missing.'],
  [/character class range/, 'A character class has a range that runs backwards or a name that is not known.'],
  [/escape sequence/, 'It has an escape sequence that is not known.'],
  [/Perl syntax/, 'It has a group that starts with (? in a way that is not known.'],
  [/nesting depth|too large|Maximum call stack/, 'It is nested too deeply or grows too large.'],
]

/** Says in plain words why the engine would not take a pattern; holds nothing of the pattern itself. */
export function refusalOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return refusals.find(([sign]) => sign.test(message))?.[1] ?? 'It cannot be read as a pattern.'
}
