import type { ProblemError } from '../../../kernel/errors/problem.ts'
import { errors } from '../declared/errors.ts'
import { conditionFaults, patternFaults } from './check-written.ts'
import { complete } from './defaults.ts'
import type { PolicyDocument, PolicyDocumentInput } from './document.ts'
import type { Fault } from './fault.ts'
import { isBuiltinEntity } from './sections/entities.ts'

/** Most faults told at once. */
const mostFaults = 50

/** Names of the installation that a document may use. */
export interface Installed {
  /** Names of outside classifiers. */
  readonly classifiers: ReadonlySet<string>
  /** Whether a model that recognizes the topics of a text is installed. */
  readonly knowsTopics: boolean
}

/** The document with every default written out, checked. @throws GW-026 */
export function readDocument(input: PolicyDocumentInput, installed: Installed): PolicyDocument {
  const document = complete(input)
  refuse([...topicFaults(input, installed), ...classifierFaults(document, installed), ...faultsOf(document)])
  return document
}

/**
 * Checks rules that a schema cannot express: patterns compile, thresholds are ordered, names are known.
 * @throws GW-026
 */
export function checkDocument(document: PolicyDocument): void {
  refuse(faultsOf(document))
}

function faultsOf(document: PolicyDocument): readonly Fault[] {
  return [
    ...patternFaults(document),
    ...conditionFaults(document),
    ...thresholdFaults(document),
    ...limitFaults(document),
    ...idFaults(document),
    ...entityFaults(document),
    ...contradictions(document),
    ...promises(document),
  ]
}

function refuse(faults: readonly Fault[]): void {
  const [first] = faults
  if (first !== undefined) throw invalid(first).at(faults.slice(0, mostFaults))
}

function invalid(fault: Fault): ProblemError {
  return errors.policyInvalid({ what: fault.detail })
}

function topicFaults({ content }: PolicyDocumentInput, { knowsTopics }: Installed): readonly Fault[] {
  const topics = content?.topics ?? []
  const empty = topics.flatMap(({ description = '', examples = [] }, index) =>
    [description, ...examples].every((words) => words.trim() === '')
      ? [{ detail: 'A topic needs a description or examples.', pointer: `/document/content/topics/${index}` }]
      : [],
  )
  if (topics.length === 0 || knowsTopics) return empty
  const detail = 'This installation has no model that tells what a text is about; its operator names one.'
  return [{ detail, pointer: '/document/content/topics' }, ...empty]
}

function classifierFaults({ injection }: PolicyDocument, { classifiers }: Installed): readonly Fault[] {
  const { enabled, model } = injection.classifier
  if (!enabled || classifiers.has(model)) return []
  const detail = `This installation has no classifier ${model}; its operator names them.`
  return [{ detail, pointer: '/document/injection/classifier/model' }]
}

function thresholdFaults({ injection }: PolicyDocument): readonly Fault[] {
  if (injection.flag_at <= injection.block_at) return []
  return [{ detail: 'flag_at is above block_at, so nothing would be flagged.', pointer: '/document/injection/flag_at' }]
}

function limitFaults({ limits }: PolicyDocument): readonly Fault[] {
  return limits.flatMap((limit, index) => {
    const at = `/document/limits/${index}`
    const needsWindow = limit.unit !== 'concurrent'
    if (needsWindow !== (limit.window_seconds !== undefined)) {
      const detail = needsWindow
        ? `A limit of ${limit.unit} needs window_seconds.`
        : 'A limit of concurrent calls has no window.'
      return [{ detail, pointer: `${at}/window_seconds` }]
    }
    const needsCurrency = limit.unit === 'cost'
    if (needsCurrency === (limit.currency !== undefined)) return []
    const detail = needsCurrency ? 'A limit of cost needs a currency.' : 'Only a limit of cost has a currency.'
    return [{ detail, pointer: `${at}/currency` }]
  })
}

function idFaults({ content, injection, limits, rules }: PolicyDocument): readonly Fault[] {
  const lists = {
    'content/denied_terms': content.denied_terms,
    'content/denied_patterns': content.denied_patterns,
    'content/topics': content.topics,
    'injection/extra_rules': injection.extra_rules,
    limits,
    rules,
  }
  return Object.entries(lists).flatMap(([where, list]) =>
    list.flatMap(({ id }, index) =>
      list.findIndex((other) => other.id === id) === index
        ? []
        : [{ detail: `The id ${id} is used twice.`, pointer: `/document/${where}/${index}/id` }],
    ),
  )
}

function entityFaults({ sensitive_data: data }: PolicyDocument): readonly Fault[] {
  const own = new Set(data.custom.map(({ name }) => name))
  const isKnown = (name: string): boolean => isBuiltinEntity(name) || own.has(name)
  const at = '/document/sensitive_data'
  return [
    ...data.custom.flatMap(({ name }, index) =>
      isBuiltinEntity(name) ? [{ detail: `${name} is built in.`, pointer: `${at}/custom/${index}/name` }] : [],
    ),
    ...Object.keys(data.entities).flatMap((name) =>
      isKnown(name) ? [] : [{ detail: `There is no entity ${name}.`, pointer: `${at}/entities/${name}` }],
    ),
    ...data.allow_list.flatMap(({ entity }, index) =>
      isKnown(entity) ? [] : [{ detail: `There is no entity ${entity}.`, pointer: `${at}/allow_list/${index}/entity` }],
    ),
  ]
}

/** A name on both lists is denied, whatever its author meant. */
function contradictions({ models, providers, content }: PolicyDocument): readonly Fault[] {
  const lists = { models, providers, 'content/tools': content.tools }
  return Object.entries(lists).flatMap(([where, { allow, deny }]) =>
    deny.flatMap((name, index) =>
      allow.includes(name)
        ? [{ detail: `${name} is allowed and denied.`, pointer: `/document/${where}/deny/${index}` }]
        : [],
    ),
  )
}

/** A check that needs the whole answer cannot stop a stream that has already left. */
function promises({ output, rules, streaming, models, content }: PolicyDocument): readonly Fault[] {
  if (streaming.mode === 'buffer' || !models.allow_streaming) return []
  const why = 'This can only block when streaming.mode is buffer, or streams are not allowed.'
  const json = output.on_invalid_json === 'block' && output.json_schema === 'check'
  return [
    ...(json ? [{ detail: why, pointer: '/document/output/on_invalid_json' }] : []),
    ...rules.flatMap(({ on, action }, index) =>
      on.includes('output') && action === 'block' ? [{ detail: why, pointer: `/document/rules/${index}/action` }] : [],
    ),
    ...content.topics.flatMap(({ on, action }, index) =>
      on.includes('output') && action === 'block'
        ? [{ detail: why, pointer: `/document/content/topics/${index}/action` }]
        : [],
    ),
  ]
}
