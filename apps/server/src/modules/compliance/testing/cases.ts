import type { ModuleCases } from '../../../../test/generated/module-cases.ts'

const memberKinds = {
  // Of a document that was sealed, which is evidence.
  snapshot_id: 'evidence_id',
  previous_id: 'assessment_id',
  framework_ids: 'framework_id',
  base_framework_ids: 'framework_id',
  assessor_ids: 'user_id',
  approver_id: 'user_id',
  owner_user_id: 'user_id',
  evidence_ids: 'evidence_id',
  remove: 'evidence_id',
}

const bodies: ModuleCases['bodies'] = {
  'POST /api/v1/compliance/frameworks': (n) => ({
    ...{ source: 'csv', key: `sample-${n}`, edition: '1', title: `Sample ${n}` },
    ...{ content: `id,title\r\nA,Sample ${n}`, publish: true, adopt: {} },
  }),
  'POST /api/v1/compliance/evidence': (n) => ({
    ...{ kind: 'attestation', title: `Sample ${n}`, attestation_text: `Sample ${n}` },
  }),
  'POST /api/v1/compliance/assessments': (n) => ({ type: 'ai_act_classification', name: `Sample ${n}`, answers: {} }),
  'PATCH /api/v1/compliance/controls/{control_id}': (n) => ({ implementation_note: `Sample ${n}` }),
  'PATCH /api/v1/compliance/assessments/{assessment_id}': (n) => ({ name: `Sample ${n}` }),
}

const found: ModuleCases['found'] = {
  framework_id: ({ admin }) => admin.get('/compliance/frameworks?limit=1&q=owasp-llm'),
  control_id: ({ admin }) => admin.get('/compliance/controls?limit=1'),
}

const frameworks = 'POST /api/v1/compliance/frameworks'
const control = 'PATCH /api/v1/compliance/controls/{control_id}'
const assessments = 'POST /api/v1/compliance/assessments'
const assessment = 'PATCH /api/v1/compliance/assessments/{assessment_id}'
const evidence = 'POST /api/v1/compliance/evidence'

const idPlaces: ModuleCases['idPlaces'] = {
  [`${frameworks} body/framework_id`]: {
    kind: 'framework_id',
    with: (id) => ({ source: 'known', action: 'adopt', framework_id: id }),
  },
  [`${assessments} body/framework_ids[]`]: {
    kind: 'framework_id',
    with: (id) => ({ type: 'framework', framework_ids: [id] }),
  },
  // An agent need not be registered.
  [`${assessments} body/agent_id`]: { kind: 'agent_id', with: (id) => ({ agent_id: id }), verbatim: true },
  [`${assessment} body/results[]/control_id`]: {
    kind: 'control_id',
    with: (id) => ({ results: [{ control_id: id, result: 'satisfied' }] }),
  },
  [`${assessment} body/results[]/evidence_ids[]`]: {
    kind: 'evidence_id',
    with: (id) => ({ results: [{ control_id: id, result: 'satisfied', evidence_ids: [id] }] }),
  },
  [`${control} body/remediation[]/owner_user_id`]: {
    kind: 'user_id',
    with: (id) => ({ remediation: [{ title: 'Sample', owner_user_id: id }] }),
  },
  [`${control} body/evidence_links/add[]/evidence_id`]: {
    kind: 'evidence_id',
    with: (id) => ({ evidence_links: { add: [{ evidence_id: id }] } }),
  },
  // A link that is not there is not removed.
  [`${control} body/evidence_links/remove[]`]: {
    kind: 'evidence_id',
    with: (id) => ({ evidence_links: { remove: [id] } }),
    verbatim: true,
  },
  [`${evidence} body/claims[]/control_id`]: { kind: 'control_id', with: (id) => ({ claims: [{ control_id: id }] }) },
  // The samples have no owner, no framework, no agent and no claim.
  'GET /api/v1/compliance/controls query/owner_user_id': {
    kind: 'user_id',
    with: (id) => ({ owner_user_id: id }),
    shows: false,
  },
  'GET /api/v1/compliance/assessments query/framework_id': {
    kind: 'framework_id',
    with: (id) => ({ framework_id: id }),
    shows: false,
  },
  'GET /api/v1/compliance/assessments query/agent_id': {
    kind: 'agent_id',
    with: (id) => ({ agent_id: id }),
    shows: false,
  },
  'GET /api/v1/compliance/evidence query/control_id': {
    kind: 'control_id',
    with: (id) => ({ control_id: id }),
    shows: false,
  },
}

const noIds = [
  // Names of checks, which are the same for everybody.
  'GET /api/v1/compliance/evidence query/check_id',
  `${evidence} body/check_id`,
  // Of parts of the control itself.
  `${control} body/remediation[]/id`,
  `${control} body/params[]/id`,
  // Looked for in the paths that the control inherits by; what is none of them has no effect.
  `${control} body/inherited_decisions[]/mapping_ids[]`,
]

const emptyTables = ['compliance_mapping', 'compliance_claim', 'compliance_chain_break', 'compliance_result']

/** Of classifications that are approved, and populations of checks that the samples do not reach. */
const unmovedFacts = [
  ...['compliance.classifications', 'iam.leavers', 'iam.sso_domains', 'iam.sso_certificates', 'admin.data_keys'],
  ...['aegis.enabled_tools', 'aegis.agent_controls', 'resilience.exercises', 'resilience.restores'],
  ...['data_gov.model_flows', 'gateway.call_log', 'svc_ai.supported_answers'],
]

/** Samples of this module for the suites over all routes. */
export const cases: ModuleCases = { memberKinds, bodies, found, idPlaces, noIds, emptyTables, unmovedFacts }
