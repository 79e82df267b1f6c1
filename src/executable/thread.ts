import { workerData } from 'node:worker_threads';
import { load } from './inside.ts';

// The first code of a thread of the executable: it runs the file of the program that it is given by name.
load(String(workerData));
