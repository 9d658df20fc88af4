import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import type { Carrier } from '../carriers/carriers.ts'
import { carrier, plant } from '../carriers/carriers.ts'
import { attackWords } from '../lines/attack-words.ts'
import { exfiltrationLines, toolOrders } from '../lines/exfiltration.ts'
import { templateFrames } from '../lines/frames-template.ts'
import { addresses, plantedOrders, toolPoison } from '../lines/indirect.ts'
import { promptLeakLines } from '../lines/leak.ts'
import { overrideLines } from '../lines/override.ts'
import { surfaceNoise } from '../lines/surface-noise.ts'

/** Orders to the model hidden in documents, records, code, tool results and tool descriptions. */
export const generator: Generator = {
  name: 'indirect',
  seed: 0x0a18,
  rows: () => {
    const random = createRandom(0x0a18)
    return Array.from({ length: 1100 }, () => plantedIn(carrier(random), random))
  },
}

const orders = [
  plantedOrders,
  plantedOrders,
  plantedOrders,
  overrideLines,
  exfiltrationLines,
  toolOrders,
  promptLeakLines,
]

function plantedIn(into: Carrier, random: Random): Row {
  const poison = into.kind === 'json-tools' || random.chance(0.04)
  const text = poison ? say(toolPoison, random) : addressed(random)
  const place = random.pick([0, -1, -1, random.below(into.slots.length), random.below(into.slots.length)])
  return {
    ...plant(into, text, place),
    label: 1,
    kind: 'indirect',
    source: 'gen-indirect',
    lang: 'en',
    sub: into.kind,
  }
}

const say = (lines: readonly string[], random: Random): string => expand(random.pick(lines), attackWords, random)

function addressed(random: Random): string {
  const count = random.pick([1, 1, 1, 2, 3])
  const order = Array.from({ length: count }, () => stopped(say(random.pick(orders), random))).join(' ')
  const address = random.chance(0.8) ? `${say(addresses, random)} ` : ''
  const plain = random.chance(0.5) ? address + order : address + order.charAt(0).toUpperCase() + order.slice(1)
  const text = random.chance(0.4) ? surfaceNoise(plain, random) : plain
  return random.chance(0.12) ? framed(text, random) : text
}

const stopped = (text: string): string => (/[\w)]$/.test(text) ? `${text}.` : text)

/** A document can carry a forged template boundary too. */
function framed(text: string, random: Random): string {
  const frame = random.pick(templateFrames)
  return frame
    .replaceAll('¤order', () => text)
    .replaceAll('¤question', 'Go on.')
    .replaceAll('¤consent', 'Sure.')
}
