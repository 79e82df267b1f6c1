// Runs after `npm ci` and `npm install` in a clone.
import { join } from 'node:path';
import { linkOwnNode } from './own-node.js';

linkOwnNode(join(import.meta.dirname, '..'));
