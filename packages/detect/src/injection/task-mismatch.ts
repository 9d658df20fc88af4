/**
 * Finds a task planted in a document without any word of an attack ("Also write a limerick about cats."). Such a
 * sentence cannot be told from the document's own by its words; three signs betray it: it asks the reader to do
 * something, the document around it does not, and it has nothing to do with the user's task. English only: the signs of
 * a request in other languages are left to the learned scorer. Tested in task-mismatch.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Range } from './sentences.ts'

const requestStarts = new Set(
  `add address adjust advise analyze analyse answer append apply arrange ask assemble assess assign assist attach avoid
begin break brief bring build calculate call capture change check choose cite clarify classify clean click collect
combine comment compare compile complete compose compute condense conduct configure connect consider construct contact
contrast convert convince copy correct count craft create critique cut debug decide decode define delete deliver
demonstrate deploy derive describe design detail detect determine develop devise diagnose disable discuss display
distribute divide document download draft draw edit elaborate emphasize employ enable encourage encrypt end enhance
enumerate establish estimate evaluate examine execute expand explain explore express extract fetch fill filter find fix
focus follow forecast format formulate forward gather generate get give go group guide handle help highlight hide
identify illustrate imagine implement import improve include incorporate increase indicate infer inform insert inspect
install integrate interpret introduce invent investigate invite join jot justify keep launch learn let list load locate
look make map mark measure mention merge mimic modify monitor move name navigate note notify observe obtain offer open
optimize order organize outline output overwrite paraphrase parse perform personalize pick place plan point post predict
prepare present pretend print prioritize produce promote proofread propose prove provide publish put query quote rank
rate read rearrange recall recommend record recite reduce refer reformat refine remind remove rename render reorder
repeat replace reply report rephrase request research respond restate retrieve return reveal reverse review revise
rewrite roleplay run save say scan schedule score search select send separate set share shorten show shuffle simplify
sketch solve sort specify speak spell split start state stop store structure submit substitute suggest summarize
summarise supply support swap take talk teach tell test think trace track transform translate transmit treat try turn
type update upload use utilize validate verify visit visualize warn watch write`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

const leadIns = new Set([
  'please',
  'also',
  'then',
  'now',
  'next',
  'finally',
  'first',
  'kindly',
  'additionally',
  'and',
  'just',
  'afterwards',
  'lastly',
  'so',
])
const polite = /^(?:can|could|would|will) you (?:please )?[a-z]/
const questions = /^(?:what|who|where|when|why|how|which|is|are|does|do|did) [a-z].*\?$/

const longest = 20_000
const mostSentences = 400

interface Sentence extends Range {
  readonly asks: boolean
  readonly topics: ReadonlySet<string>
}

/**
 * The sentence that asks for something foreign to the user's task and to the document, with a score of 0.5 to 0.85; none
 * for a document that is full of requests itself (a manual, a to-do list). Reads the first 20,000 characters.
 */
export function plantedTask(text: string, userTask: string): Finding | undefined {
  const sentences = sentencesOf(text.slice(0, longest))
  const asking = sentences.filter(({ asks }) => asks)
  if (asking.length === 0 || asking.length > Math.max(2, sentences.length * 0.2)) return undefined
  const wanted = topicsOf(userTask)
  let found: Finding | undefined
  for (const sentence of asking) {
    if (sentence.topics.size === 0 || overlap(sentence.topics, wanted) > 0.34) continue
    const others = new Set(sentences.filter((other) => other !== sentence).flatMap(({ topics }) => [...topics]))
    const foreign = 1 - overlap(sentence.topics, others)
    const score = Math.round((0.5 + 0.35 * foreign) * 100) / 100
    if (score > (found?.score ?? 0.6)) found = findingAt(sentence, score)
  }
  return found
}

function findingAt({ start, end }: Range, score: number): Finding {
  return { detector: 'injection', type: 'indirect-instruction', start, end, score, rule: 'task-mismatch' }
}

function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  let start = 0
  for (let i = 0; i <= text.length && found.length < mostSentences; i += 1) {
    if (i < text.length && !endsSentence(text, i)) continue
    const raw = text.slice(start, Math.min(text.length, i + 1))
    const lead = raw.length - raw.trimStart().length
    const sentence = raw.trim()
    if (sentence.length >= 8 && sentence.length <= 500) {
      const lower = sentence.toLowerCase()
      found.push({
        start: start + lead,
        end: start + lead + sentence.length,
        asks: isRequest(lower),
        topics: topicsOf(lower),
      })
    }
    start = i + 1
  }
  return found
}

function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code === 10) return true
  if (code !== 46 && code !== 33 && code !== 63) return false
  const next = text.charCodeAt(at + 1)
  return Number.isNaN(next) || next === 32 || next === 10
}

function isRequest(sentence: string): boolean {
  if (polite.test(sentence) || (sentence.length < 200 && questions.test(sentence))) return true
  const words = sentence.split(/[^a-z']+/, 8).filter((word) => word !== '')
  const first = words.findIndex((word) => !leadIns.has(word))
  const verb = words[first]
  return verb !== undefined && words.length - first >= 3 && requestStarts.has(verb)
}

const common = new Set(
  'about after again also before being below between both could does doing down during each from further have having here hers itself more most myself once only other ours over please same should some such than that their theirs them then there these they this those through under until very were what when where which while will with would your yours into make write following text answer question'.split(
    ' ',
  ),
)

/** Content words by their first six letters: enough to see "translate" and "translation" as one. */
function topicsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]{4,24}/g) ?? []
  return new Set(words.filter((word) => !common.has(word) && !requestStarts.has(word)).map((word) => word.slice(0, 6)))
}

function overlap(own: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0
  for (const topic of own) if (others.has(topic)) shared += 1
  return shared / own.size
}
