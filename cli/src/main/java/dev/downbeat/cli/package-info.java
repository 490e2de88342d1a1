/** The front door: which command did the user ask for? Each room below answers one question, and none is promised to others. */
@NullMarked
package dev.downbeat.cli;

import org.jspecify.annotations.NullMarked;
