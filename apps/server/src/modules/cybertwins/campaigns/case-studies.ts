import library from './data/atlas-case-studies.json' with { type: 'json' }

export interface TemplateStep {
  readonly name: string
  readonly technique: string
}

export interface CaseStudy {
  readonly id: string
  readonly name: string
  readonly steps: readonly TemplateStep[]
}

const techniques: Readonly<Record<string, string>> = library.techniques

/** Case studies of MITRE ATLAS 5.6.0 as ordered chains of techniques, by id. */
export const caseStudies: ReadonlyMap<string, CaseStudy> = new Map(
  library.case_studies.map(({ id, name, steps }) => [
    id,
    { id, name, steps: steps.map(([, technique = '']) => ({ name: techniques[technique] ?? technique, technique })) },
  ]),
)
