// Prints the path of helm.
import { findHelm } from './charts.ts';

const helm = findHelm();
if (helm === undefined) throw new Error('This machine has no Helm 4.');
console.log(helm);
