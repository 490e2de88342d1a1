package dev.downbeat.report.paper;

/** A record that is one line of JSON: a row of many. */
public interface OneLine {}
