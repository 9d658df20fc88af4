import type { Module } from '../module/module.ts'
import type { SettingDefinition } from '../settings/define.ts'
import { kernelSettings } from '../settings/kernel-settings.ts'

/** Every setting of the program. */
export const settingsOf = (modules: readonly Pick<Module, 'settings'>[]): readonly SettingDefinition[] => [
  ...kernelSettings,
  ...modules.flatMap(({ settings }) => settings),
]
