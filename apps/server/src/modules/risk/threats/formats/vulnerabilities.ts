/** Vulnerabilities: lists and CVE records with CVSS vectors, EPSS, KEV. Pure. Tested in formats.test.ts. */
import {
  automatableLevels,
  cvss4,
  cvss31,
  exploitationLevels,
  missionLevels,
  technicalImpactLevels,
  VectorError,
} from '@parapet/quant'
import type { ThreatContent } from '../library/schema.ts'
import {
  type Content,
  type Fields,
  fieldsAt,
  ImportFault,
  isFields,
  listAt,
  maybeTextAt,
  nothingElse,
  type ReadThreat,
  textAt,
  wordAt,
} from './read.ts'

const cvePattern = /^CVE-\d{4}-\d{4,19}$/

function cveAt(fields: Fields, name: string, pointer: string): string {
  const id = textAt(fields, name, { pointer, most: 30 })
  if (!cvePattern.test(id)) throw new ImportFault(`${pointer}/${name}`, 'This is no CVE id.')
  return id
}

const cve = (id: string, fields: Partial<ThreatContent>): ReadThreat => ({
  key: `cve:${id}`,
  fields: { source: 'cve', external_id: id, type: 'vulnerability', ...fields },
})

/** A list of `{ cve, name?, cvss_vector?, … }` or of CVE records (format 5). @throws ImportFault */
export function readCves(document: unknown): Content {
  const isOne = isFields(document) && document.dataType === 'CVE_RECORD'
  const list = isOne ? [document] : listAt(isFields(document) ? document.cves : document, '/content')
  const place = isOne ? () => '/content' : (i: number) => `/content/${i}`
  return { ...nothingElse, threats: list.map((one, i) => cveOf(fieldsAt(one, place(i)), place(i))) }
}

function cveOf(fields: Fields, pointer: string): ReadThreat {
  if (fields.dataType === 'CVE_RECORD') return recordOf(fields, pointer)
  const id = cveAt(fields, 'cve', pointer)
  const vector = maybeTextAt(fields, 'cvss_vector', { pointer, most: 1000 })
  const name = maybeTextAt(fields, 'name', { pointer })
  const exploitation = wordAt(fields, 'exploitation', { pointer, words: exploitationLevels })
  const automatable = wordAt(fields, 'automatable', { pointer, words: automatableLevels })
  const technicalImpact = wordAt(fields, 'technical_impact', { pointer, words: technicalImpactLevels })
  const mission = wordAt(fields, 'mission', { pointer, words: missionLevels })
  return {
    ...cve(id, {
      ...(name === null ? {} : { name }),
      ...(vector === null ? {} : scored(vector, `${pointer}/cvss_vector`)),
    }),
    points: {
      ...(exploitation === undefined ? {} : { exploitation }),
      ...(automatable === undefined ? {} : { automatable }),
      ...(technicalImpact === undefined ? {} : { technical_impact: technicalImpact }),
      ...(mission === undefined ? {} : { mission }),
    },
  }
}

/** Score and severity of a CVSS vector. @throws ImportFault of the kind `vector` with position and metric */
function scored(vector: string, pointer: string): Partial<ThreatContent> {
  try {
    if (vector.startsWith('CVSS:4.0')) {
      const { score, severity, macrovector, nomenclature } = cvss4(vector)
      const more = { cvss_macrovector: macrovector, cvss_nomenclature: nomenclature }
      return { cvss_vector: vector, cvss_score: score, cvss_severity: severity, ...more }
    }
    const { score, severity } = cvss31(vector)
    const more = { cvss_macrovector: null, cvss_nomenclature: null }
    return { cvss_vector: vector, cvss_score: score, cvss_severity: severity, ...more }
  } catch (error) {
    if (!(error instanceof VectorError)) throw error
    const metric = error.metric === null ? '' : ` Metric: ${error.metric}.`
    throw new ImportFault(pointer, `${error.message}.${metric}`, 'vector')
  }
}

function recordOf(record: Fields, pointer: string): ReadThreat {
  const meta = fieldsAt(record.cveMetadata, `${pointer}/cveMetadata`)
  const id = cveAt(meta, 'cveId', `${pointer}/cveMetadata`)
  const containers = fieldsAt(record.containers, `${pointer}/containers`)
  const at = `${pointer}/containers/cna`
  const cna = fieldsAt(containers.cna, at)
  const title = maybeTextAt(cna, 'title', { pointer: at, most: 500 })
  const metrics = cna.metrics === undefined ? [] : listAt(cna.metrics, `${at}/metrics`)
  const found = vectorIn(metrics)
  const changed = maybeTextAt(meta, 'dateUpdated', { pointer: `${pointer}/cveMetadata`, most: 40 })
  const changedMs = changed === null ? Number.NaN : Date.parse(changed)
  return cve(id, {
    ...(title === null ? {} : { name: title }),
    ...(found === null ? {} : scored(found.vector, `${at}/metrics/${found.i}`)),
    ...(Number.isNaN(changedMs) ? {} : { modified_at: new Date(changedMs).toISOString() }),
    revoked: meta.state === 'REJECTED',
  })
}

/** The vector of the newest version of CVSS among the metrics. */
function vectorIn(metrics: readonly unknown[]): { readonly vector: string; readonly i: number } | null {
  for (const version of ['cvssV4_0', 'cvssV3_1'])
    for (const [i, metric] of metrics.entries()) {
      const scoredBy = isFields(metric) ? metric[version] : undefined
      if (isFields(scoredBy) && typeof scoredBy.vectorString === 'string') return { vector: scoredBy.vectorString, i }
    }
  return null
}

const headerPattern = /^#model_version:([\w.+-]{1,40}),score_date:(\d{4}-\d\d-\d\d)(?:T[\d:.+Z-]*)?$/

/** EPSS of FIRST as CSV. Scores are kept of vulnerabilities that the library has. @throws ImportFault */
export function readEpss(text: string): Content {
  const lines = text.split(/\r?\n/)
  const [, model, date] = headerPattern.exec(lines[0] ?? '') ?? []
  if (model === undefined || date === undefined)
    throw new ImportFault('/content', 'Line 1 must be #model_version:…,score_date:…')
  if (lines[1] !== 'cve,epss,percentile') throw new ImportFault('/content', 'Line 2 must be cve,epss,percentile.')
  const threats = lines.slice(2).flatMap((line, i): ReadThreat[] => {
    if (line === '') return []
    const [id = '', epss = '', percentile = ''] = line.split(',')
    const [p, rank] = [shareOf(epss), shareOf(percentile)]
    if (!cvePattern.test(id) || p === null || rank === null || line.split(',').length !== 3)
      throw new ImportFault('/content', `Line ${i + 3} is no CVE id with two numbers of 0 to 1.`)
    const fields = { epss: p, epss_percentile: rank, epss_date: date, epss_model: model }
    return [{ key: `cve:${id}`, fields, onlyKnown: true }]
  })
  return { ...nothingElse, threats }
}

function shareOf(text: string): number | null {
  if (!/^(0|1|0?\.\d+|[01]\.\d+|\d(\.\d+)?e-\d{1,2})$/i.test(text)) return null
  const value = Number(text)
  return value >= 0 && value <= 1 ? value : null
}

/** CISA's catalog of known exploited vulnerabilities. @throws ImportFault */
export function readKev(document: unknown): Content {
  const list = listAt(fieldsAt(document, '/content').vulnerabilities, '/content/vulnerabilities')
  const threats = list.map((one, i) => {
    const pointer = `/content/vulnerabilities/${i}`
    const fields = fieldsAt(one, pointer)
    const id = cveAt(fields, 'cveID', pointer)
    const day = (name: string): string | null => {
      const text = maybeTextAt(fields, name, { pointer, most: 10 })
      if (text !== null && !/^\d{4}-\d\d-\d\d$/.test(text))
        throw new ImportFault(`${pointer}/${name}`, 'This must be a date.')
      return text
    }
    const added = day('dateAdded')
    if (added === null) throw new ImportFault(`${pointer}/dateAdded`, 'This is required.')
    const product = `${textAt(fields, 'vendorProject', { pointer })} ${textAt(fields, 'product', { pointer })}`
    return cve(id, {
      name: (maybeTextAt(fields, 'vulnerabilityName', { pointer }) ?? product).slice(0, 500),
      kev: { date_added: added, due_date: day('dueDate'), ransomware: fields.knownRansomwareCampaignUse === 'Known' },
    })
  })
  return { ...nothingElse, threats }
}
