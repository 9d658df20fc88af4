/**
 * In which direction the words of an English text run, told by small words that stand before an article and hardly ever
 * after one: `of the`, never `the of`. Works on normalized text. Tested in decode/decoders.test.ts.
 */
/** Without `a`, which is a letter as well. */
const articles = new Set('the an your my our their his its every'.split(' '))

const leaders = new Set(
  [
    'of to in on at by for from with without and or that which is are was were be been into onto than as if',
    'about between through because while when where you i we they he she it them him',
    'do does did have has had should would could',
    'reveal ignore tell give forget disregard bypass override follow make get say send',
  ]
    .join(' ')
    .split(' '),
)

/** Times that the words of one direction must outnumber those of the other. */
const majority = 3

export type WordOrder = 'forward' | 'backward' | 'unknown'

/** @param fewest pairs of words that have to say `backward` */
export function wordOrder(text: string, fewest = 1): WordOrder {
  const words = text.match(/[a-z']+/g) ?? []
  let forward = 0
  let backward = 0
  for (let i = 1; i < words.length; i += 1) {
    const [before = '', after = ''] = [words[i - 1], words[i]]
    if (articles.has(after) && leaders.has(before)) forward += 1
    else if (articles.has(before) && leaders.has(after)) backward += 1
  }
  if (forward > 0 && forward >= backward * majority) return 'forward'
  return backward >= fewest && backward >= forward * majority ? 'backward' : 'unknown'
}
