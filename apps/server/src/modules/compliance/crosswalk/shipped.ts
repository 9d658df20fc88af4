/**
 * Mappings that come with the program, our own work: each with the reason in words. They are aids, not findings of
 * conformity. Held against the catalogs by shipped.test.ts.
 */
import type { Mapping } from './infer.ts'
import type { Relation } from './relations.ts'

type Line = readonly [source: string, relation: Relation, target: string, coverage: number | null, reason: string]

const lines: readonly Line[] = [
  [
    'nist-ai-rmf-1.0 GOVERN 1.6',
    'intersects-with',
    'iso-42001-2023 A.4.2',
    0.3,
    'An inventory of systems documents some of their resources.',
  ],
  ['nist-ai-rmf-1.0 GOVERN 2.1', 'intersects-with', 'iso-42001-2023 A.3.2', 0.8, 'Both ask for documented AI roles.'],
  ['iso-42001-2023 A.3.2', 'subset-of', 'nist-ai-rmf-1.0 GOVERN 2.1', 0.7, 'Roles without the lines of communication.'],
  [
    'nist-ai-rmf-1.0 GOVERN 6.1',
    'intersects-with',
    'iso-42001-2023 A.10.3',
    0.6,
    'Both ask for policies on suppliers of AI.',
  ],
  [
    'nist-ai-rmf-1.0 MAP 3.5',
    'intersects-with',
    'eu-ai-act Art. 14(1)',
    0.3,
    'Human oversight is defined; the law asks for its design.',
  ],
  [
    'nist-ai-rmf-1.0 MANAGE 4.3',
    'intersects-with',
    'eu-ai-act Art. 73(1)',
    0.3,
    'Incidents are communicated; the law names the authority.',
  ],
  [
    'eu-ai-act Art. 12(1)',
    'intersects-with',
    'iso-42001-2023 A.6.2.8',
    0.8,
    'Both ask for recorded events of the system.',
  ],
  [
    'eu-ai-act Art. 11(1)',
    'intersects-with',
    'iso-42001-2023 A.6.2.7',
    0.7,
    'Technical documentation; the law fixes its content.',
  ],
  [
    'eu-ai-act Art. 13(2)',
    'intersects-with',
    'iso-42001-2023 A.8.2',
    0.7,
    'Instructions for use are information for users.',
  ],
  [
    'iso-42001-2023 A.5.2',
    'intersects-with',
    'nist-ai-rmf-1.0 MAP 5.1',
    0.5,
    'An impact assessment documents impacts.',
  ],
  [
    'owasp-llm-2025 LLM01:2025',
    'subset-of',
    'owasp-agentic-2026 ASI01',
    0.6,
    'Prompt injection is one way to hijack the goal of an agent.',
  ],
  [
    'owasp-llm-2025 LLM03:2025',
    'intersects-with',
    'owasp-agentic-2026 ASI04',
    0.5,
    'Supply chains of models and of tools overlap.',
  ],
  [
    'owasp-llm-2025 LLM06:2025',
    'intersects-with',
    'owasp-agentic-2026 ASI02',
    0.5,
    'Excessive agency makes tools misusable.',
  ],
  [
    'owasp-llm-2025 LLM04:2025',
    'intersects-with',
    'owasp-agentic-2026 ASI06',
    0.3,
    'Poisoned data and poisoned memory overlap.',
  ],
  [
    'owasp-llm-2025 LLM09:2025',
    'intersects-with',
    'owasp-agentic-2026 ASI09',
    0.3,
    'Misinformation is one way to exploit trust.',
  ],
  ['iso-27001-2022 A.8.13', 'intersects-with', 'nist-csf-2.0 PR.DS-11', 0.9, 'Backups are made, protected and tested.'],
  ['iso-27001-2022 A.8.13', 'subset-of', 'soc2-tsc-2017 A1.2', 0.4, 'Backups are a part of recovery infrastructure.'],
  ['iso-27001-2022 A.8.15', 'intersects-with', 'nist-csf-2.0 PR.PS-04', 0.9, 'Log records are generated and kept.'],
  ['iso-27001-2022 A.8.16', 'intersects-with', 'soc2-tsc-2017 CC7.2', 0.8, 'Components are monitored for anomalies.'],
  ['iso-27001-2022 A.5.18', 'intersects-with', 'soc2-tsc-2017 CC6.2', 0.7, 'Access rights are granted and removed.'],
  [
    'iso-27001-2022 A.5.3',
    'subset-of',
    'soc2-tsc-2017 CC6.3',
    0.3,
    'Segregation of duties is a part of access by roles.',
  ],
  ['iso-27001-2022 A.8.32', 'intersects-with', 'soc2-tsc-2017 CC8.1', 0.8, 'Changes are authorized and tested.'],
  [
    'iso-27001-2022 A.5.24',
    'intersects-with',
    'soc2-tsc-2017 CC7.4',
    0.5,
    'Planned incident management is a part of responding.',
  ],
  ['iso-27001-2022 A.5.12', 'intersects-with', 'nist-csf-2.0 ID.AM-05', 0.5, 'Classification prioritizes assets.'],
  [
    'iso-27001-2022 A.8.8',
    'intersects-with',
    'nist-csf-2.0 ID.RA-01',
    0.7,
    'Vulnerabilities are identified and recorded.',
  ],
  [
    'iso-27001-2022 A.5.15',
    'intersects-with',
    'nist-csf-2.0 PR.AA-05',
    0.8,
    'Access permissions are defined and managed.',
  ],
  ['nist-csf-2.0 GV.RR-02', 'intersects-with', 'iso-27001-2022 A.5.2', 0.9, 'Roles and responsibilities of security.'],
  [
    'nist-csf-2.0 GV.PO-01',
    'intersects-with',
    'iso-27001-2022 A.5.1',
    0.7,
    'A policy is established and communicated.',
  ],
  [
    'nist-csf-2.0 GV.SC-05',
    'intersects-with',
    'iso-27001-2022 A.5.20',
    0.7,
    'Requirements stand in supplier agreements.',
  ],
  [
    'gdpr Art. 32(1)',
    'intersects-with',
    'iso-27001-2022 6.1.3',
    0.3,
    'Security in proportion to risk is treatment of risk.',
  ],
  ['gdpr Art. 33(1)', 'intersects-with', 'soc2-tsc-2017 P6.6', 0.7, 'Breaches are notified.'],
  ['gdpr Art. 17', 'intersects-with', 'soc2-tsc-2017 P4.3', 0.4, 'Erasure is one disposal of personal data.'],
  ['gdpr Art. 28(3)', 'intersects-with', 'soc2-tsc-2017 P6.4', 0.7, 'Processors commit themselves by contract.'],
]

export const shippedMappings: readonly (Mapping & { readonly reason: string })[] = lines.map(
  ([source, relation, target, coverage, reason], index) => ({
    ...{ id: `shipped-${index + 1}`, source, target, relation, coverage, strength: null, confidence: 0.8, reason },
  }),
)
