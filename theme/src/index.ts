export { homingTheme } from './theme.ts'
export { dark, light, type Tokens } from './tokens.ts'
