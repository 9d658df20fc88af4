/**
 * Looks at chunks before they may be found: for planted instructions, and for how confidential they are. A chunk is
 * quarantined where the score is high and a rule agrees; a score alone only flags. One detector for each thread. Tested in
 * scan.test.ts.
 */
import { createDetector, type Detector } from '@parapet/detect'
import { type DataClass, higherClass } from './scan-words.ts'

export interface ChunkScan {
  /** 0 to 1: how much it looks like planted instructions. */
  readonly score: number
  readonly quarantined: boolean
  /** Families of the rules that matched. */
  readonly patterns: readonly string[]
  readonly dataClass: DataClass
}

let detector: Detector | null = null
const detectorHere = (): Detector => {
  detector ??= createDetector()
  return detector
}

/** Version of the rules and the model that scanned. */
export const detectorVersion = (): string => detectorHere().pack

/** Kinds of personal data by class: identity numbers, payment and health data are restricted, addresses of machines are not. */
const classOf: Readonly<Record<string, DataClass>> = {
  ...{ URL_CREDENTIALS: 'restricted', CREDIT_CARD: 'restricted', US_SSN: 'restricted', UK_NINO: 'restricted' },
  ...{
    NATIONAL_ID: 'restricted',
    PASSPORT: 'restricted',
    MEDICAL_RECORD: 'restricted',
    HEALTH_INSURANCE: 'restricted',
  },
  ...{ IP_ADDRESS: 'internal', MAC_ADDRESS: 'internal', URL: 'public' },
}
/** Values that are less sure say nothing of a class: names and addresses are guessed in prose. */
const leastConfidence = 0.7

/** @param before the end of the text in front of it, so that an attack across the border is seen */
export function scanChunk(text: string, before: string): ChunkScan {
  const look = detectorHere()
  const { score, verdict, findings } = look.scanPrompt(before + text, {
    channel: 'document',
    policy: 'untrusted-content',
  })
  const ruled = findings.filter(({ rule }) => rule !== undefined && rule !== 'model' && !rule.startsWith('limit-'))
  return {
    score,
    quarantined: verdict === 'block' && ruled.length > 0,
    patterns: [...new Set(ruled.map(({ type }) => type))].sort().slice(0, 10),
    dataClass: classOfText(look, text),
  }
}

function classOfText(look: Detector, text: string): DataClass {
  if (look.findSecrets(text).length > 0) return 'restricted'
  return look
    .findPii(text)
    .filter(({ score }) => score >= leastConfidence)
    .map(({ type }) => classOf[type] ?? 'confidential')
    .reduce<DataClass>(higherClass, 'public')
}
