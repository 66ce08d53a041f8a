// Prints where helm is.
import { findHelm } from './helm-program.ts';

const helm = findHelm();
if (helm === undefined) throw new Error('There is no Helm 4 on this machine.');
console.log(helm);
