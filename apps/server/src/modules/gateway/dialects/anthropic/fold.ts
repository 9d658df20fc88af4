/** Assembles the frames of content blocks into blocks. Pure. Tested in stream.test.ts. */
import { parseExact } from '../../../../kernel/base/exact-json.ts'
import type { BlockStep, Json } from './block-queue.ts'

interface Folding {
  block: Json
  input: string
}

export function foldBlocks(steps: readonly BlockStep[]): readonly Json[] {
  const folding: Folding[] = []
  for (const step of steps) {
    if (step.step === 'start') folding[step.index] = { block: step.block, input: '' }
    const place = folding[step.index]
    if (step.step === 'delta' && place !== undefined) addTo(place, step.delta)
  }
  return folding.map(({ block, input }) => (input === '' ? block : { ...block, input: inputOf(input) }))
}

function addTo(place: Folding, delta: Json): void {
  const { block } = place
  const join = (name: string): Json => ({ ...block, [name]: `${block[name] ?? ''}${delta[name] ?? ''}` })
  switch (delta.type) {
    case 'text_delta':
      place.block = join('text')
      return
    case 'thinking_delta':
      place.block = join('thinking')
      return
    case 'signature_delta':
      place.block = join('signature')
      return
    case 'citations_delta':
      place.block = {
        ...block,
        citations: [...(Array.isArray(block.citations) ? block.citations : []), delta.citation],
      }
      return
    case 'input_json_delta':
      place.input += String(delta.partial_json)
      return
    default:
      // A delta of an unknown kind belongs to a block that is complete without it.
      return
  }
}

/** Follows the vendor's advice for a tool input from a model that is not valid JSON. */
function inputOf(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return { INVALID_JSON: text }
  }
}
