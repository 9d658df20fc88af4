import { defineErrors } from '../../kernel/errors/errors.ts'

export const errors = defineErrors('AEGIS', {
  illegalMove: [
    2,
    409,
    'Illegal Transition',
    (p: { what: string; status: string }) => `The ${p.what} is ${p.status} already.`,
  ],
  exists: [3, 409, 'Already Exists', (p: { what: string }) => `The same ${p.what} exists already.`],
  secondPerson: [
    9,
    403,
    'Second Person Required',
    () =>
      'Ending this kill switch takes two people, not two credentials or a service account: a second administrator, whose account and credentials are not the first one’s doing, repeats the call with the confirm_token within 15 minutes.',
  ],
})
