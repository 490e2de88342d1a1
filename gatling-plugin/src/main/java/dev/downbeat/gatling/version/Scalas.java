package dev.downbeat.gatling.version;

import java.util.ArrayList;
import java.util.List;
import scala.jdk.javaapi.CollectionConverters;

/** Converts between Java and Scala lists. */
public final class Scalas {
    private Scalas() {}

    public static <A> scala.collection.immutable.List<A> scala(List<A> list) {
        return CollectionConverters.asScala(list).toList();
    }

    public static <A> List<A> java(scala.collection.Iterable<A> list) {
        return new ArrayList<>(CollectionConverters.asJavaCollection(list));
    }
}
