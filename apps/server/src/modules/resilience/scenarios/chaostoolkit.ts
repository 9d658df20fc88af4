/**
 * Reads an experiment of the Chaos Toolkit (https://chaostoolkit.org/reference/api/experiment/). Promises that nothing of
 * it is ever run but HTTP probes: programs and Python functions are kept in the document and listed. Pure. Tested in
 * chaostoolkit.test.ts.
 */
import { isRecord } from '../../../kernel/base/is-record.ts'
import type { NotExecutable, Probe, ScenarioRow, Tolerance } from '../declared/scenario-schema.ts'

export interface ImportedScenario
  extends Pick<ScenarioRow, 'name' | 'description' | 'hypothesis' | 'tags' | 'not_executable'> {}

export type Imported = { readonly scenario: ImportedScenario } | { readonly pointer: string; readonly detail: string }

const mostProbes = 10
const at = '/import/document'

export function readChaostoolkit(document: Readonly<Record<string, unknown>>): Imported {
  const { title, description, method, tags = [], 'steady-state-hypothesis': steady } = document
  if (typeof title !== 'string' || title === '') return wrong(`${at}/title`, 'An experiment has a title.')
  if (!Array.isArray(method)) return wrong(`${at}/method`, 'An experiment has a method, which is a list.')
  if (steady !== undefined && !(isRecord(steady) && Array.isArray(steady.probes)))
    return wrong(`${at}/steady-state-hypothesis`, 'A hypothesis has a title and a list of probes.')
  const notExecutable: NotExecutable[] = []
  const place = `${at}/steady-state-hypothesis`
  const listed = isRecord(steady) ? (steady.probes as readonly unknown[]) : []
  const probes = listed.flatMap((probe, i) => {
    const read = probeOf(probe, `${place}/probes/${i}`)
    if ('kind' in read) return [read]
    notExecutable.push(read)
    return []
  })
  for (const [name, steps] of [
    ['method', method],
    ['rollbacks', document.rollbacks],
  ] as const)
    if (Array.isArray(steps)) notExecutable.push(...steps.map((step, i) => stepOf(step, `${at}/${name}/${i}`)))
  return {
    scenario: {
      name: title.slice(0, 200),
      description: typeof description === 'string' ? description.slice(0, 5000) : '',
      hypothesis: {
        title:
          isRecord(steady) && typeof steady.title === 'string' && steady.title !== ''
            ? steady.title.slice(0, 500)
            : title.slice(0, 500),
        probes: probes.slice(0, mostProbes),
      },
      tags: Array.isArray(tags) ? [...new Set(tags.filter(isTag))].slice(0, 20) : [],
      not_executable: notExecutable.slice(0, 200),
    },
  }
}

const isTag = (tag: unknown): tag is string => typeof tag === 'string' && tag.length > 0 && tag.length <= 50

const wrong = (pointer: string, detail: string) => ({ pointer, detail })

const nameOf = (step: unknown): string =>
  isRecord(step) && typeof step.name === 'string' && step.name !== '' ? step.name.slice(0, 500) : 'unnamed'

function stepOf(step: unknown, pointer: string): NotExecutable {
  const provider = isRecord(step) && isRecord(step.provider) ? step.provider.type : null
  return {
    pointer: pointer.slice(0, 300),
    name: nameOf(step),
    reason:
      provider === 'http'
        ? 'HTTP steps of a method are not run. Add the fault to `faults`.'
        : 'Programs and Python functions are kept and never run. Add the fault to `faults`.',
  }
}

function probeOf(probe: unknown, pointer: string): Probe | NotExecutable {
  const refused = (reason: string): NotExecutable => ({ pointer: pointer.slice(0, 300), name: nameOf(probe), reason })
  const provider = isRecord(probe) && isRecord(probe.provider) ? probe.provider : null
  if (!isRecord(probe) || provider === null) return refused('The probe has no provider.')
  if (provider.type !== 'http') return refused('Programs and Python functions are kept and never run.')
  if (typeof provider.url !== 'string' || provider.url.length > 2000) return refused('The probe has no address.')
  if (provider.method !== undefined && String(provider.method).toUpperCase() !== 'GET')
    return refused('Probes only look: the method is GET.')
  if (provider.url.includes('${')) return refused('Addresses with configuration values are not resolved.')
  const tolerance = toleranceOf(probe.tolerance)
  if (tolerance === null) return refused('The tolerance has a form that is not supported.')
  return { name: nameOf(probe).slice(0, 100), kind: 'http', url: provider.url, tolerance }
}

type Scalar = boolean | number | string
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'string'

/** Null for a form that is not supported, such as a probe as a tolerance. */
export function toleranceOf(value: unknown): Tolerance | null {
  if (isScalar(value)) return { type: 'equals', value }
  if (Array.isArray(value)) {
    const values = value.filter(isScalar)
    return values.length === value.length && values.length > 0 && values.length <= 50
      ? { type: 'one_of', values }
      : null
  }
  if (!isRecord(value)) return null
  const { type, range, pattern, path, expect, target } = value
  if (type === 'range' && Array.isArray(range)) {
    const [low, high] = range
    return typeof low === 'number' && typeof high === 'number' ? { type: 'range', low, high } : null
  }
  if (type === 'regex' && typeof pattern === 'string' && pattern.length > 0 && pattern.length <= 500)
    return { type: 'regex', pattern, target: target === 'status' ? 'status' : 'body' }
  if (type === 'jsonpath' && typeof path === 'string' && path.length > 0 && path.length <= 200) {
    const wanted = Array.isArray(expect) ? expect.filter(isScalar) : isScalar(expect) ? [expect] : null
    return { type: 'jsonpath', path, ...(wanted === null || wanted.length === 0 ? {} : { expect: wanted }) }
  }
  return null
}
