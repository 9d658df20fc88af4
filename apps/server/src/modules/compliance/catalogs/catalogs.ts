/**
 * Catalogs that come with the program: identifiers and structure of the publishers, titles in our words. Counts and
 * identifiers are held against what each catalog states by catalogs.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import euAiAct from './data/eu-ai-act.json' with { type: 'json' }
import gdpr from './data/gdpr.json' with { type: 'json' }
import iso27001 from './data/iso-27001-2022.json' with { type: 'json' }
import iso42001 from './data/iso-42001-2023.json' with { type: 'json' }
import nistAi600 from './data/nist-ai-600-1.json' with { type: 'json' }
import nistAiRmf from './data/nist-ai-rmf-1.0.json' with { type: 'json' }
import nistCsf from './data/nist-csf-2.0.json' with { type: 'json' }
import owaspAgentic from './data/owasp-agentic-2026.json' with { type: 'json' }
import owaspAsvs from './data/owasp-asvs-5.0.json' with { type: 'json' }
import owaspLlm from './data/owasp-llm-2025.json' with { type: 'json' }
import soc2 from './data/soc2-tsc-2017.json' with { type: 'json' }
import type { BuiltinCatalog } from './form.ts'

export const catalogs: readonly BuiltinCatalog[] = [
  ...[nistAiRmf, nistAi600, euAiAct, iso42001, iso27001, soc2, nistCsf, gdpr, owaspLlm, owaspAgentic, owaspAsvs],
]

const byKey = new Map(catalogs.map((catalog) => [catalog.key, catalog]))

export const catalogOfKey = (key: string): BuiltinCatalog | null => byKey.get(key) ?? null

/** Digest of the content, by which editions are told apart. */
export const digestOf = (catalog: BuiltinCatalog): string => canonicalHash(catalog)

/** Adopted by a new tenant. */
export const firstAdopted: readonly string[] = ['owasp-llm-2025', 'nist-ai-rmf-1.0']
