/** Questions of the classification under the EU AI Act, in the order of the procedure, each with its article. */
export interface Question {
  readonly id: string
  readonly article: string
  readonly text: string
}

const question = (id: string, article: string, text: string): Question => ({ id, article, text })

/** Systems that the law does not cover. */
export const exclusions = [
  question('military', 'Art. 2(3)', 'Used for military, defense or national security purposes only'),
  question('research_only', 'Art. 2(6)', 'Developed and used for scientific research only'),
  question('personal_use', 'Art. 2(10)', 'Used by a natural person for a purely personal activity'),
] as const

/** Prohibited practices; each exception makes the practice lawful. */
export const practices = [
  {
    ...question('manipulation', 'Art. 5(1)(a)', 'Subliminal or manipulative techniques that cause significant harm'),
    exception: null,
  },
  {
    ...question(
      'exploitation',
      'Art. 5(1)(b)',
      'Exploits age, disability or a social or economic situation to cause harm',
    ),
    exception: null,
  },
  {
    ...question('social_scoring', 'Art. 5(1)(c)', 'Social scoring with unjustified or unrelated detriment'),
    exception: null,
  },
  {
    ...question('crime_prediction', 'Art. 5(1)(d)', 'Predicts criminal offenses of a person by profiling alone'),
    exception: 'crime_prediction_human_facts',
  },
  { ...question('face_scraping', 'Art. 5(1)(e)', 'Untargeted scraping of facial images'), exception: null },
  {
    ...question('emotion_work_education', 'Art. 5(1)(f)', 'Infers emotions at work or in education'),
    exception: 'emotion_medical_safety',
  },
  {
    ...question(
      'biometric_categorization',
      'Art. 5(1)(g)',
      'Categorizes people by biometrics to infer race, opinions or orientation',
    ),
    exception: 'biometric_lawful_labelling',
  },
  {
    ...question(
      'realtime_biometric',
      'Art. 5(1)(h)',
      'Real-time remote biometric identification in public for law enforcement',
    ),
    exception: 'realtime_biometric_authorized',
  },
  {
    ...question('intimate_imagery', 'Art. 5(1)(i)', 'Makes intimate imagery without consent or child abuse material'),
    exception: null,
  },
] as const

/** Uses of Annex III, by their point. */
export const uses = [
  question(
    'biometric_identification',
    'Annex III 1(a)',
    'Remote biometric identification, other than mere verification',
  ),
  question('biometric_sensitive', 'Annex III 1(b)', 'Biometric categorization by sensitive attributes'),
  question('emotion_recognition', 'Annex III 1(c)', 'Emotion recognition'),
  question(
    'critical_infrastructure',
    'Annex III 2',
    'Safety component of critical infrastructure, traffic or utilities',
  ),
  question('education_admission', 'Annex III 3(a)', 'Access or admission to education'),
  question('education_outcomes', 'Annex III 3(b)', 'Evaluation of learning outcomes'),
  question('education_level', 'Annex III 3(c)', 'Assessment of the level of education a person gets'),
  question('education_monitoring', 'Annex III 3(d)', 'Detection of prohibited behavior during tests'),
  question('recruitment', 'Annex III 4(a)', 'Recruitment, selection and filtering of applications'),
  question('work_decisions', 'Annex III 4(b)', 'Promotion, termination, task allocation or monitoring of workers'),
  question('public_benefits', 'Annex III 5(a)', 'Eligibility for public assistance benefits'),
  question('credit_scoring', 'Annex III 5(b)', 'Creditworthiness or credit score of persons, except fraud detection'),
  question('insurance', 'Annex III 5(c)', 'Risk and pricing of life and health insurance'),
  question('emergency_calls', 'Annex III 5(d)', 'Emergency calls, dispatching or triage'),
  question('law_victim', 'Annex III 6(a)', 'Risk of becoming a victim of crime'),
  question('law_polygraph', 'Annex III 6(b)', 'Polygraphs for law enforcement'),
  question('law_evidence', 'Annex III 6(c)', 'Reliability of evidence'),
  question('law_reoffending', 'Annex III 6(d)', 'Risk of offending or reoffending, not by profiling alone'),
  question('law_profiling', 'Annex III 6(e)', 'Profiling in criminal investigations'),
  question('migration_polygraph', 'Annex III 7(a)', 'Polygraphs in migration'),
  question('migration_risk', 'Annex III 7(b)', 'Risks posed by persons who enter'),
  question('migration_applications', 'Annex III 7(c)', 'Examination of asylum, visa and residence applications'),
  question('migration_identification', 'Annex III 7(d)', 'Detection or identification of persons in migration'),
  question('justice', 'Annex III 8(a)', 'Research and application of law by judicial authorities'),
  question('elections', 'Annex III 8(b)', 'Influence on elections or voting behavior'),
] as const

/** Conditions under which an Annex III system is not high-risk. */
export const derogations = [
  question('narrow_task', 'Art. 6(3)(a)', 'Performs a narrow procedural task'),
  question('improves_human_work', 'Art. 6(3)(b)', 'Improves the result of completed human work'),
  question('detects_patterns', 'Art. 6(3)(c)', 'Detects deviations from earlier decisions, with human review'),
  question('preparatory_task', 'Art. 6(3)(d)', 'Performs a preparatory task'),
] as const

export const transparencyCases = [
  question('interacts_with_people', 'Art. 50(1)', 'Interacts directly with natural persons'),
  question('synthetic_content', 'Art. 50(2)', 'Generates synthetic audio, image, video or text'),
  question('emotion_or_biometric', 'Art. 50(3)', 'Recognizes emotions or categorizes by biometrics'),
  question('deep_fake', 'Art. 50(4)', 'Generates deep fakes, or text on matters of public interest'),
] as const

export const roles = [
  'provider',
  'deployer',
  'importer',
  'distributor',
  'product_manufacturer',
  'authorized_representative',
] as const
export type Role = (typeof roles)[number]

export const exceptions = practices.flatMap(({ exception }) => (exception === null ? [] : [exception]))

/** Facts beside the lists above. */
export const facts = {
  is_ai_system: question('is_ai_system', 'Art. 3(1)', 'Infers from input how to generate output, with some autonomy'),
  safety_component: question(
    'safety_component',
    'Art. 6(1)(a)',
    'Safety component of, or itself, a product under Annex I',
  ),
  third_party_assessment: question(
    'third_party_assessment',
    'Art. 6(1)(b)',
    'The product needs third-party conformity assessment',
  ),
  profiles_persons: question('profiles_persons', 'Art. 6(3)', 'Profiles natural persons'),
  substantial_change: question(
    'substantial_change',
    'Art. 25(1)',
    'Rebranded, substantially changed or put to a high-risk purpose',
  ),
  public_authority: question(
    'public_authority',
    'Art. 26(8)',
    'The deployer is a public authority or provides public services',
  ),
  gpai_model: question('gpai_model', 'Art. 3(63)', 'Is, or places on the market, a general-purpose AI model'),
  on_market_before: question('on_market_before', 'Art. 111', 'Placed on the market before 2026-08-02'),
} as const
