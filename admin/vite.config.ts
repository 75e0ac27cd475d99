import { screenConfig } from '@homing/theme/vite'

export default screenConfig('/admin/')
