/** Modifiers of a field in a selection: read from `field|modifier|…`, refused by name. Pure. Tested in detection.test.ts. */
import { RuleRefusal } from '../base/refusal.ts'

const known = [
  'contains',
  'startswith',
  'endswith',
  'all',
  're',
  'cidr',
  'lt',
  'lte',
  'gt',
  'gte',
  'exists',
  'cased',
  'fieldref',
  'base64',
  'base64offset',
  'windash',
] as const
export type Modifier = (typeof known)[number]

const names: ReadonlySet<string> = new Set(known)
const isModifier = (name: string): name is Modifier => names.has(name)

/** Those that decide how a value is compared: at most one of them, and none beside `fieldref` but the first three. */
const comparisons = ['contains', 'startswith', 'endswith', 're', 'cidr', 'lt', 'lte', 'gt', 'gte', 'exists'] as const
export type Comparison = (typeof comparisons)[number] | 'equals'

export interface FieldKey {
  readonly field: string
  readonly comparison: Comparison
  /** All values have to match, not any. */
  readonly all: boolean
  readonly cased: boolean
  readonly fieldref: boolean
  readonly encoding: 'base64' | 'base64offset' | null
  readonly windash: boolean
}

/** @throws RuleRefusal for a modifier that is not supported, or does not go with another one */
export function readKey(key: string, pointer: string): FieldKey {
  const [field = '', ...written] = key.split('|')
  const used = new Set<Modifier>()
  for (const name of written) {
    if (!isModifier(name)) {
      const detail = `The modifier ${name.slice(0, 40)} is not supported. Supported are ${known.join(', ')}.`
      throw new RuleRefusal(`modifier ${name.slice(0, 40)}`, pointer, detail)
    }
    used.add(name)
  }
  const compared = comparisons.filter((name) => used.has(name))
  const [comparison = 'equals', another] = compared
  if (another !== undefined) throw clash(comparison, another, pointer)
  const encoding = used.has('base64offset') ? 'base64offset' : used.has('base64') ? 'base64' : null
  const read = {
    field,
    comparison,
    all: used.has('all'),
    cased: used.has('cased'),
    fieldref: used.has('fieldref'),
    encoding,
    windash: used.has('windash'),
  } as const
  refuseClashes(read, pointer)
  return read
}

const ofText: ReadonlySet<Comparison> = new Set(['equals', 'contains', 'startswith', 'endswith'])

function refuseClashes({ comparison, fieldref, encoding, windash, cased }: FieldKey, pointer: string): void {
  if (ofText.has(comparison)) {
    if (fieldref && (encoding !== null || windash)) throw clash('fieldref', encoding ?? 'windash', pointer)
    return
  }
  const [other] = [
    ...(fieldref ? ['fieldref'] : []),
    ...(encoding === null ? [] : [encoding]),
    ...(windash ? ['windash'] : []),
    ...(cased && comparison !== 're' ? ['cased'] : []),
  ]
  if (other !== undefined) throw clash(comparison, other, pointer)
}

const clash = (one: string, other: string, pointer: string): RuleRefusal =>
  new RuleRefusal(`modifiers ${one} and ${other}`, pointer, `The modifiers ${one} and ${other} do not go together.`)
