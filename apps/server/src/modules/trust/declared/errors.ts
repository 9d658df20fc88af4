import { defineErrors } from '../../../kernel/errors/errors.ts'

export const errors = defineErrors('TRUST', {
  weights: [1, 422, 'Weights Do Not Sum To One', (p: { what: string }) => p.what],
  decay: [2, 422, 'Decay Parameters Invalid', (p: { what: string }) => p.what],
  unknownTarget: [4, 422, 'Unknown Signal, Event Or Cap', (p: { what: string }) => p.what],
  historyRange: [6, 422, 'History Range Invalid', (p: { what: string }) => p.what],
})
