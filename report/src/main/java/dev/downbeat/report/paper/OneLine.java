package dev.downbeat.report.paper;

/** A record that is written on one line of JSON, as a row of many. */
public interface OneLine {}
