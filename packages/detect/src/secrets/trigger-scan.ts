/**
 * One pass over a text that stops only where a credential may begin and asks the recognizer of that trigger.
 * Promises time linear in the text for any text. Tested in find-secrets.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { createAutomaton } from '../text/automaton/automaton.ts'
import { formatAt, type SecretFormat } from './base/format.ts'
import { looksRandom } from './base/wordiness.ts'
import { commandPasswordAt, commandTriggers } from './commands.ts'
import { nameTriggers } from './credential-names.ts'
import { secretFormats } from './formats/all.ts'
import { jsonWebAt, jsonWebTriggers } from './json-web.ts'
import { namedSecretAt } from './named-values.ts'
import { privateKeyAt, privateKeyTriggers } from './private-key.ts'
import { createReading, type Reading } from './reading.ts'
import { urlCredentialAt, urlTrigger } from './url-credentials.ts'

interface Place {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly reading: Reading
}

type Recognizer = (place: Place) => Finding | undefined

const triggers: readonly (readonly [string, Recognizer])[] = [
  ...secretFormats.flatMap((format) =>
    format.prefixes.map((prefix): [string, Recognizer] => [prefix, formatted(prefix, format)]),
  ),
  ...nameTriggers.map((word): [string, Recognizer] => [
    word,
    (place) => namedSecretAt(place.text, place, place.reading),
  ]),
  ...privateKeyTriggers.map((word): [string, Recognizer] => [word, ({ text, start }) => privateKeyAt(text, start)]),
  ...jsonWebTriggers.map((word): [string, Recognizer] => [word, ({ text, start }) => jsonWebAt(text, start)]),
  ...commandTriggers.map((word): [string, Recognizer] => [word, (place) => commandPasswordAt(place.text, place)]),
  [urlTrigger, ({ text, start }) => urlCredentialAt(text, start)],
  ...['AKIA', 'ASIA'].map((word): [string, Recognizer] => [word, ({ text, start }) => awsPartner(text, start)]),
]

function formatted(prefix: string, format: SecretFormat): Recognizer {
  return ({ text, start }) => formatAt(text, start, prefix, format)
}

const automaton = createAutomaton(triggers.map(([word]) => word))

/** Every kind of credential that has a trigger: a mark, a name, an option or an address. */
export const triggered: Matcher = {
  types: [...new Set(secretFormats.map(({ type }) => type)), 'private_key', 'jwt', 'connection_string', 'password'],
  marked: true,
  collect: (text, from, found) => {
    // Most texts hold no trigger, and a stream is many texts.
    let reading: Reading | undefined
    const [own, named]: [Finding[], Finding[]] = [[], []]
    automaton.scan(text, (index, end) => {
      const trigger = triggers[index]
      reading ??= createReading(text)
      const finding = trigger?.[1]({ text, start: end - trigger[0].length, end, reading })
      if (finding && finding.start >= from) (finding.rule === undefined ? own : named).push(finding)
      return true
    })
    for (const finding of own) found.push(finding)
    if (named.length === 0) return
    const known = new Set(own.map(({ start }) => start))
    for (const finding of named) if (!known.has(finding.start)) found.push(finding)
  },
}

const awsPair =
  /(?:AKIA|ASIA)[A-Z2-7]{16}[^A-Za-z0-9/+]([^\n]{0,48}[^A-Za-z0-9/+\n])?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y

/** The secret half of an AWS key pair on the same line as its id, as in a CSV file of keys. */
function awsPartner(text: string, start: number): Finding | undefined {
  awsPair.lastIndex = start
  const value = awsPair.exec(text)?.[2]
  if (value === undefined || /^[0-9a-f]+$/.test(value) || value.includes('EXAMPLE') || !looksRandom(value))
    return undefined
  const end = awsPair.lastIndex
  return { detector: 'secret', type: 'aws_secret_access_key', start: end - 40, end, score: 0.95 }
}
