import type { Random } from '../../rows/random.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'
import { carrier, plant } from '../carriers/carriers.ts'
import { attackWords } from '../lines/attack-words.ts'
import { plantedTasks } from '../lines/indirect.ts'

/** Plain tasks planted in documents, without any word of override: at the start, in the middle, at the end. */
export const generator: Generator = {
  name: 'planted-task',
  seed: 0x0a19,
  rows: () => {
    const random = createRandom(0x0a19)
    return Array.from({ length: 800 }, (_, index) => planted(plantedTasks[index % plantedTasks.length] ?? '', random))
  },
}

const leads = [
  '',
  '',
  '',
  '',
  '',
  'Also, ',
  'Please ',
  'And: ',
  'Then ',
  'Additionally, ',
  'By the way, ',
  'One more thing: ',
  'Next, ',
  'Finally, ',
  'Before that, ',
  'Now ',
  'You should also ',
  'Do not forget to ',
  'In addition, ',
  'Your task: ',
  'Task: ',
  'Could you ',
  'Be sure to ',
  'First ',
]

function planted(task: string, random: Random): Row {
  const into = carrier(random)
  const first = expand(task, attackWords, random)
  const lead = random.pick(leads)
  const plain = (lead === '' ? first : lead + first.charAt(0).toLowerCase() + first.slice(1)).replace(
    /([\w)"])$/,
    '$1.',
  )
  const more = random.chance(0.2) ? ` ${expand(random.pick(plantedTasks), attackWords, random)}.` : ''
  const place = random.pick([0, -1, -1, random.below(into.slots.length)])
  return {
    ...plant(into, plain + more, place),
    label: 1,
    kind: 'indirect-task',
    source: 'gen-planted-task',
    lang: 'en',
    sub: into.kind,
  }
}
