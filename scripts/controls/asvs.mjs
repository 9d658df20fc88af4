/**
 * Holds our verdicts on OWASP ASVS 5.0.0, levels 1 and 2 without WebRTC, against what there is: every requirement once,
 * every piece of evidence a control of ours or a file in the repository. The requirements' text is theirs and not
 * repeated. Tested in apps/server/test/docs/controls.test.ts.
 */
import { isSentence } from './check.mjs'

/** Requirements of levels 1 and 2 in each chapter, and those of level 1 among them, as published (commit 5cf9b03 of OWASP/ASVS). */
export const chapters = [
  ['Encoding and sanitization', 27, 8],
  ['Validation and business logic', 11, 4],
  ['Web frontend', 19, 8],
  ['API and web service', 10, 2],
  ['File handling', 9, 4],
  ['Authentication', 35, 13],
  ['Session management', 18, 6],
  ['Authorization', 7, 4],
  ['Self-contained tokens', 7, 4],
  ['OAuth and OIDC', 29, 5],
  ['Cryptography', 14, 3],
  ['Secure communication', 9, 3],
  ['Configuration', 13, 1],
  ['Data protection', 9, 2],
  ['Secure coding and architecture', 13, 3],
  ['Logging and error handling', 16, 0],
]
export const verdicts = ['met', 'partly', 'not met', 'operator', 'not applicable', 'not assessed']

export const chapterOf = (id) => Number(/^V(\d+)\./.exec(id)?.[1] ?? 0)

/** @param exists tells whether a path leads to something in the repository */
export function asvsFaults(requirements, controls, exists) {
  const ids = requirements.map(({ id }) => id)
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice.`),
    ...chapters.flatMap(([name, count, ofLevelOne], index) => {
      const own = requirements.filter(({ id }) => chapterOf(id) === index + 1)
      const easiest = own.filter(({ level }) => level === 1).length
      return [
        ...(own.length === count ? [] : [`V${index + 1} ${name} has ${own.length} requirements, not ${count}.`]),
        ...(easiest === ofLevelOne ? [] : [`V${index + 1} ${name} has ${easiest} of level 1, not ${ofLevelOne}.`]),
      ]
    }),
    ...requirements.flatMap((one) => requirementFaults(one, controls, exists).map((fault) => `${one.id} ${fault}`)),
  ]
}

function requirementFaults({ id, level, topic, verdict, evidence, why }, controls, exists) {
  const states = new Map(controls.map((control) => [control.id, control.state]))
  const unproven = evidence.filter((one) => ['planned', 'operator'].includes(states.get(one)))
  return [
    ...(/^V(?:[1-9]|1[0-6])\.\d{1,2}\.\d{1,2}$/.test(id) ? [] : ['is no id.']),
    ...([1, 2].includes(level) ? [] : ['is of no level we judge.']),
    ...(topic.split(' ').length <= 8 ? [] : ['has a topic of more than eight words.']),
    ...(verdicts.includes(verdict) ? [] : [`has the verdict ${verdict}, which there is none of.`]),
    ...(isSentence(why) ? [] : ['does not say why in one sentence.']),
    ...(['met', 'partly'].includes(verdict) && evidence.length === 0 ? ['has no evidence.'] : []),
    ...(verdict === 'met' ? unproven.map((one) => `is met by ${one}, which is ${states.get(one)}.`) : []),
    ...evidence
      .filter((one) => !(/^C\d{2}$/.test(one) ? states.has(one) : exists(one)))
      .map((one) => `names ${one}, which is not there.`),
  ]
}
