import { defineErrors } from '../../../kernel/errors/errors.ts'

export const errors = defineErrors('ADM', {
  settingRefused: [1, 422, 'Setting Refused', (p: { what: string }) => p.what],
  unknownSetting: [2, 422, 'Unknown Setting', (p: { key: string }) => `There is no setting ${p.key}.`],
  fixedByEnvironment: [
    3,
    409,
    'Fixed by the Environment',
    (p: { key: string; env: string }) => `The setting ${p.key} is fixed by ${p.env} in its environment.`,
  ],
  flagInvalid: [4, 422, 'Flag Invalid', (p: { what: string }) => p.what],
  flagReference: [5, 422, 'Flag Reference Invalid', (p: { what: string }) => p.what],
  flagState: [6, 409, 'Flag State', (p: { what: string }) => p.what],
  licenseRefused: [7, 422, 'License Refused', (p: { why: string }) => `The license was refused: ${p.why}.`],
  builtinLicense: [8, 409, 'Built-in License', () => 'The built-in license cannot be removed.'],
  maintenance: [9, 503, 'Maintenance', (p: { message: string }) => p.message],
  backupRunning: [10, 409, 'Backup Running', () => 'A backup is running already. Wait until it has ended.'],
  backupTarget: [11, 422, 'Backup Target Refused', (p: { why: string }) => `The target was refused: ${p.why}.`],
  backupUnverified: [
    12,
    422,
    'Backup Failed Verification',
    (p: { check: string }) => `The backup failed its verification at: ${p.check}.`,
  ],
  notInMaintenance: [
    13,
    409,
    'Maintenance Needed',
    () => 'Replacing the data needs the maintenance mode full. Change the setting maintenance first.',
  ],
  notSealed: [
    14,
    409,
    'Range Not Sealed',
    () => 'The range holds entries that are not sealed yet. Try again in a moment.',
  ],
  jobState: [15, 409, 'Job State', (p: { status: string }) => `A job that is ${p.status} cannot do that.`],
  keyProvider: [16, 502, 'Key Provider Failed', () => 'The key provider did not answer as expected.'],
})
